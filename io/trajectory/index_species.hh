#pragma once

#include <string>
#include <vector>

#include "io/selection/species_groups.hh"

namespace starhist::io {

/// Returns a species for each index-file group in a list of species pairs:
/// "Protein-SOL,SOL-SOL". Throws InputError for an unknown group and for empty `pairs`.
std::vector<SpeciesGroup> species_of_index(const std::string& path,
                                           const std::string& pairs);

/// Replaces the names of groups in the rules by the particles of these groups. Throws
/// InputError for a group that is missing in the file.
std::vector<SpeciesGroup> with_listed_groups(std::vector<SpeciesGroup> rules,
                                             const std::string& path);

}  // namespace starhist::io
