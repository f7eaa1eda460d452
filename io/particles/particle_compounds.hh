#pragma once

#include "io/particles/particle_table.hh"

namespace starhist::io {

/// The residue and the molecule of each particle, numbered from 0 in the order of the
/// table; empty where the file does not tell them.
struct ParticleCompounds {
  /// Particles that follow each other with the same residue number, name and molecule
  /// (numbers repeat in large files).
  std::vector<std::uint32_t> residue;
  /// Particles with the same number of the molecule; each one by itself that is of
  /// none.
  std::vector<std::uint32_t> molecule;

  explicit ParticleCompounds(const ParticleTable& table);
};

}  // namespace starhist::io
