#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace starhist::io {

/// What a file tells of its particles, in the order of their ids or, where there are
/// none, of the file. A column that the file does not have is empty; any other has one
/// entry per particle.
struct ParticleTable {
  std::size_t count = 0;
  std::vector<std::int64_t> id;
  std::vector<std::string> species;  ///< what is a species where no rules are given
  std::vector<std::string> name;     ///< of the atom: "OW"
  std::vector<std::string> type;     ///< of the force field: "opls_116", "2"
  std::vector<std::string> element;
  std::vector<std::string> residue_name;
  std::vector<std::int64_t> residue;   ///< as numbered in the file; may repeat
  std::vector<std::int64_t> molecule;  ///< as numbered in the file
  std::vector<double> mass;            ///< in u
  /// Particles of molecule 0 are of none, as in LAMMPS; elsewhere 0 may be the first.
  bool molecule_zero_is_none = false;
};

/// Fills the column `species`, where it is empty, from names, types or elements, the
/// first there are, or "all".
void fill_species(ParticleTable& table);

/// Throws InputError, "PATH: ...", that tells the first difference of the particles of
/// two files of one trajectory. Masses are not looked at.
void check_same_particles(const ParticleTable& table, const std::string& path,
                          const ParticleTable& first, const std::string& first_path);

/// Which of the file's particles a species is made of. The order is that of its
/// positions in every frame. A centre of a residue or molecule is a particle of its
/// own, with an index beyond the table, which is the same in all species that have it.
struct SpeciesParticles {
  std::vector<std::uint32_t> particle;  ///< index in the ParticleTable, ascending
  std::vector<std::uint32_t> residue;   ///< the same number: the same residue; or empty
  std::vector<std::uint32_t>
      molecule;  ///< the same number: the same molecule; or empty
};

}  // namespace starhist::io
