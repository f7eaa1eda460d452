#pragma once

#include <string>
#include <vector>

#include "io/particles/particle_table.hh"
#include "io/selection/species_groups.hh"

namespace starhist::io {

/// Property that defines the species without selection rules.
enum class SpeciesBy {
  file,  ///< species of the file: fill_species()
  name,  ///< atom name
  type,  ///< force-field type
  element,
  residue_name,  ///< residue name: "resname"
  chain,
  segment,
  molecule,  ///< molecule number; each molecule is a species
  all,       ///< all particles form one species
};

/// Returns all values except `file`, in this order.
const std::vector<SpeciesBy>& all_species_by();

/// Returns "name", "type", "element", "resname", "chain", "segment", "molecule", "all"
/// or "file".
std::string to_string(SpeciesBy by);
/// Parses a name that to_string() returns. Throws InputError for other words.
SpeciesBy parse_species_by(const std::string& word);

/// Whether the table has the property for every particle.
bool can_tell(const ParticleTable& table, SpeciesBy by);

/// Returns one rule for each value that occurs. `by` must differ from `file`. Throws
/// InputError if a particle lacks the property.
std::vector<SpeciesGroup> species_groups_by(const ParticleTable& table, SpeciesBy by);

/// Whether fill_species() finds more than `most` species in the table.
bool has_more_species(const ParticleTable& table, std::size_t most);

/// Advises what to do when a file has more species than are counted by default: reports
/// their number and the largest ones, and suggests rules with fewer. `named`: elements
/// were assigned by guesses or aliases already, but some names remain without one.
std::string too_many_species(const ParticleTable& table, bool named);

}  // namespace starhist::io
