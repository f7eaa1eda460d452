#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/counting/species_element.hh"

namespace starhist::io {

/// Where the element of a particle comes from: the file or its structure, a file of
/// names (--aliases), or a guess from the name.
enum class ElementSource : char { file, aliases, guess };

/// Properties of the particles of a file, in the order of their ids or, without ids, in
/// the order of the file. A column has one entry per particle, or is empty if the file
/// does not have it.
struct ParticleTable {
  std::size_t count = 0;  ///< number of particles
  std::vector<std::int64_t> id;
  std::vector<std::string> species;  ///< species where no rules are given
  std::vector<std::string> name;     ///< name of the atom: "OW"
  std::vector<std::string> type;     ///< type in the force field: "opls_116", "2"
  std::vector<std::string> element;
  std::vector<ElementSource> element_source;  ///< empty: all from the file
  std::vector<std::string> residue_name;
  std::vector<std::int64_t> residue;        ///< number in the file; may repeat
  std::vector<std::string> insertion_code;  ///< letter after a residue number: "A"
  std::vector<std::string> chain;           ///< chain of a structure: "A"
  std::vector<std::string> segment;         ///< segment of CHARMM's formats: "PROA"
  /// Letter of one of several locations of an atom: "A"; "" for the only one.
  std::vector<std::string> alternate_location;
  /// Number of the piece that a particle is in, where the file divides chains, as TER
  /// of PDB does: a residue is in one piece.
  std::vector<std::uint32_t> part;
  std::vector<std::int64_t> molecule;  ///< number in the file
  std::vector<double> mass;            ///< [u]
  std::vector<double> charge;          ///< [e]
  /// True: particles with molecule number 0 belong to no molecule, as in LAMMPS. False:
  /// 0 is a molecule like others.
  bool molecule_zero_is_none = false;
  /// False: molecules are what bonds connect, so that a residue may have several, such
  /// as a ligand whose bonds are not in the file.
  bool molecule_divides_residues = true;
};

/// Fills the column `species`, if it is empty, from names, else types, else elements;
/// if there is none of these, with "all".
void fill_species(ParticleTable& table);

/// Throws InputError with the first difference between the particles of two files of
/// one trajectory. Masses and charges are not compared.
void check_same_particles(const ParticleTable& table, const std::string& path,
                          const ParticleTable& first, const std::string& first_path);

/// The particles of a species, in the order of its positions in every frame. A compound
/// centre is a particle of its own, with a number beyond the table, which is the same
/// in all species that contain the centre.
struct SpeciesParticles {
  std::vector<std::uint32_t> particle;  ///< numbers in the ParticleTable, ascending
  /// Number of the residue, and of the molecule, of each particle; empty: not known.
  std::vector<std::uint32_t> residue;
  std::vector<std::uint32_t> molecule;
};

}  // namespace starhist::io
