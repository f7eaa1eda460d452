#pragma once

#include <string>
#include <vector>

#include "io/selection/species_groups.hh"

namespace starhist::io {

/// A species for each group of an index file that a list of species pairs names:
/// "Protein-SOL,SOL-SOL". Throws InputError for a pair that is none of its groups, and
/// where `pairs` is empty.
std::vector<SpeciesGroup> species_of_index(const std::string& path,
                                           const std::string& pairs);

/// The rules with the particles of the groups that they name. Throws InputError for a
/// group that is not in the file.
std::vector<SpeciesGroup> with_listed_groups(std::vector<SpeciesGroup> rules,
                                             const std::string& path);

}  // namespace starhist::io
