#pragma once

#include <string>

#include "io/reader/trajectory_reader.hh"
#include "io/selection/species_groups.hh"

namespace starhist::testing {

/// Options of a reader that makes species by these rules.
inline io::ReadOptions rules(const std::string& text) {
  io::ReadOptions options;
  options.species = io::parse_species_groups(text);
  return options;
}

}  // namespace starhist::testing
