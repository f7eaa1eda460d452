#pragma once

#include <string>
#include <vector>

#include "codelets/core/geometry/box.hh"
#include "io/particles/particle_table.hh"

namespace starhist::io {

/// Names the molecules (residues, if molecules are unknown) with selected particles
/// that a boundary of `box` cuts: their distances are wrong without periodic images. If
/// molecules are unknown and residues are whole, also cut bonds between consecutive
/// residues of several particles.
/// `positions`: x, y, z of the table's particles. "" if none is cut, and if they cannot
/// be checked: neither molecules nor residues are known, a molecule has more than 10
/// 000 particles, or two residues have more than 10 000 pairs of particles.
std::string broken_molecules(const std::vector<SpeciesParticles>& selected,
                             const ParticleTable& table, const Box& box,
                             const std::vector<double>& positions);

}  // namespace starhist::io
