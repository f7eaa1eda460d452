#pragma once

#include <string>
#include <vector>

#include "io/particles/particle_table.hh"
#include "io/selection/species_groups.hh"

namespace starhist::io {

/// The property by which particles are of one species where no rules are given.
enum class SpeciesBy {
  file,          ///< what the file calls species: fill_species()
  name,          ///< name of the atom
  type,          ///< type in the force field
  element,       ///< element
  residue_name,  ///< name of the residue: "resname"
  chain,         ///< chain
  segment,       ///< segment
  molecule,      ///< number of the molecule; each molecule is a species
  all,           ///< all particles are one species
};

/// All but `file`, in this order.
const std::vector<SpeciesBy>& all_species_by();

/// "name", "type", "element", "resname", "chain", "segment", "molecule", "all"; "file".
std::string to_string(SpeciesBy by);
/// Throws InputError for a word that is none of these or "file".
SpeciesBy parse_species_by(const std::string& word);

/// Whether the table tells it of every particle.
bool can_tell(const ParticleTable& table, SpeciesBy by);

/// One rule for each value that occurs. `by` is not `file`. Throws InputError where
/// the table does not tell it of every particle.
std::vector<SpeciesGroup> species_groups_by(const ParticleTable& table, SpeciesBy by);

/// Whether fill_species() makes more than `most` species of the table.
bool has_more_species(const ParticleTable& table, std::size_t most);

/// What to type where a file has more species than are counted unasked: their number,
/// the largest, and what makes fewer. `named`: elements were guessed or given by
/// aliases already, and some names have none.
std::string too_many_species(const ParticleTable& table, bool named);

}  // namespace starhist::io
