#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/counting/species_element.hh"

namespace starhist::io {

/// Source of a particle's element: the trajectory or structure file, a file of names
/// (--aliases), or a guess from the atom name.
enum class ElementSource : char { file, aliases, guess };

/// Properties of a file's particles, sorted by id or, without ids, in file order. A
/// column has one entry per particle, or is empty if the file does not have it.
struct ParticleTable {
  std::size_t count = 0;  ///< number of particles
  std::vector<std::int64_t> id;
  std::vector<std::string> species;  ///< species used without selection rules
  std::vector<std::string> name;     ///< atom name: "OW"
  std::vector<std::string> type;     ///< force-field type: "opls_116", "2"
  std::vector<std::string> element;
  std::vector<ElementSource> element_source;  ///< empty: all elements are from the file
  std::vector<std::string> residue_name;
  std::vector<std::int64_t> residue;        ///< residue number in the file; may repeat
  std::vector<std::string> insertion_code;  ///< letter after the residue number: "A"
  std::vector<std::string> chain;           ///< chain identifier: "A"
  std::vector<std::string> segment;         ///< CHARMM segment: "PROA"
  /// Letter of an atom's alternate location: "A"; "" if it has only one location.
  std::vector<std::string> alternate_location;
  /// Number of the piece of the file, for formats that divide chains into pieces, as
  /// TER does in PDB. A residue does not extend over several pieces.
  std::vector<std::uint32_t> part;
  std::vector<std::int64_t> molecule;  ///< molecule number in the file
  std::vector<double> mass;            ///< [u]
  std::vector<double> charge;          ///< [e]
  /// True: molecule number 0 means "no molecule", as in LAMMPS. False: 0 is an ordinary
  /// number.
  bool molecule_zero_is_none = false;
  /// False: molecules are defined by bonds. A residue may then span several, such as a
  /// ligand whose bonds are missing in the file.
  bool molecule_divides_residues = true;
};

/// Fills an empty column `species` from the first available of names, types and
/// elements; otherwise with "all".
void fill_species(ParticleTable& table);

/// Throws InputError with the first difference between the particles of two files of
/// one trajectory. Ignores masses and charges.
void check_same_particles(const ParticleTable& table, const std::string& path,
                          const ParticleTable& first, const std::string& first_path);

/// The particles of a species, in the order of its positions in every frame. A compound
/// centre counts as a particle with a number beyond the table, which is the same in all
/// species that contain the centre.
struct SpeciesParticles {
  std::vector<std::uint32_t> particle;  ///< table indices, ascending
  /// Residue number and molecule number of each particle, from 0; empty: unknown.
  std::vector<std::uint32_t> residue;
  std::vector<std::uint32_t> molecule;
};

}  // namespace starhist::io
