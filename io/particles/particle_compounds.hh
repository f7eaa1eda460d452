#pragma once

#include "io/particles/particle_table.hh"

namespace starhist::io {

/// The residue and the molecule of each particle, numbered from 0 in the order of the
/// table; empty if the file does not have them.
struct ParticleCompounds {
  /// A residue is consecutive particles with the same residue number, insertion code,
  /// residue name, chain, segment, piece of the file and molecule, because numbers
  /// repeat in large files. Particles of a named chain or segment that follow later
  /// belong to it too, if they are the same in all these and none has a name that the
  /// residue has already.
  std::vector<std::uint32_t> residue;
  /// A molecule is all particles with the same molecule number. A particle of no
  /// molecule is one by itself.
  std::vector<std::uint32_t> molecule;

  explicit ParticleCompounds(const ParticleTable& table);
};

}  // namespace starhist::io
