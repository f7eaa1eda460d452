#pragma once

#include "io/particles/particle_table.hh"

namespace starhist::io {

/// The residue and the molecule of each particle, numbered from 0 in table order; empty
/// if the file does not have them.
struct ParticleCompounds {
  /// A residue consists of consecutive particles with the same residue number,
  /// insertion code, residue name, chain, segment, piece of the file and molecule. They
  /// must be consecutive because residue numbers repeat in large files. Later particles
  /// of a named chain or segment, or of a piece of the file, join the residue if all of
  /// these are equal and the residue does not have their atom names yet.
  std::vector<std::uint32_t> residue;
  /// A molecule consists of all particles with the same molecule number. A particle
  /// that belongs to no molecule counts as its own molecule.
  std::vector<std::uint32_t> molecule;

  explicit ParticleCompounds(const ParticleTable& table);
};

/// Number of particles that are a molecule each, but share a residue with others: their
/// bonds may be missing.
std::uint64_t loose_particles(const ParticleTable& table);

}  // namespace starhist::io
