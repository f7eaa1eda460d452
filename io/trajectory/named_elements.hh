#pragma once

#include <memory>
#include <string>

#include "io/particles/structure.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/text/element_aliases.hh"

namespace starhist::io {

/// How particles get an element that the file tells none of.
struct ElementRules {
  ElementAliases aliases;  ///< by name, else by type, else by species
  bool guess = false;      ///< guess_element(), after the aliases
  bool any() const { return guess || !aliases.empty(); }
};

/// Fills the column `element` where it has nothing. Returns a sentence that says which
/// element each name has got and which names have none. Adds the rules that gave
/// elements and the assumption that guesses are to `from`.
std::string name_elements(const ElementRules& rules, ParticleTable& table,
                          ReadFrom& from);

/// The same trajectory, whose particles have elements by these rules;
/// TrajectoryInfo::remarks say which. `structure`: the one that the reader was opened
/// with, may be null.
std::unique_ptr<TrajectoryReader> with_elements(
    std::unique_ptr<TrajectoryReader> reader, const ElementRules& rules,
    const Structure* structure = nullptr);

}  // namespace starhist::io
