#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace starhist {

/// What a file tells of its particles, in the order of their ids or, where there are
/// none, of the file. A column that the file does not have is empty; any other has one
/// entry per particle.
struct ParticleTable {
  std::size_t count = 0;
  std::vector<std::string> name;  ///< of the atom: "OW"
  std::vector<std::string> type;  ///< of the force field: "opls_116", "2"
  std::vector<std::string> element;
  std::vector<std::string> residue_name;
  std::vector<std::int64_t> residue;   ///< as numbered in the file; may repeat
  std::vector<std::int64_t> molecule;  ///< as numbered in the file
  std::vector<double> mass;            ///< in u
};

/// Which of the file's particles a species is made of. The order is that of its
/// positions in every frame.
struct SpeciesParticles {
  std::vector<std::uint32_t> particle;  ///< index in the ParticleTable, ascending
  std::vector<std::uint32_t> residue;   ///< the same number: the same residue; or empty
  std::vector<std::uint32_t>
      molecule;  ///< the same number: the same molecule; or empty
};

}  // namespace starhist
