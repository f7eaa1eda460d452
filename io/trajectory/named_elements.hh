#pragma once

#include <map>
#include <memory>
#include <string>

#include "io/particles/structure.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// Atom name -> element symbol.
using ElementAliases = std::map<std::string, std::string>;

/// Reads a file, plain or compressed, with an atom name and its element on each line;
/// '#' begins a comment. Throws InputError with the line number for malformed lines,
/// unknown elements, and names with two different elements.
ElementAliases read_element_aliases(const std::string& path);

/// Rules for assigning an element to particles whose file does not specify one.
struct ElementRules {
  /// matched with the name, otherwise the type, otherwise the species
  ElementAliases aliases;
  bool guess = false;  ///< apply guess_element() after the aliases
  bool any() const { return guess || !aliases.empty(); }
};

/// Fills empty entries of the column `element`. Returns a message that lists the
/// elements assigned to names, and the names that remain without one. Adds the rules
/// used, and the assumption that guesses are correct, to `from`.
std::string name_elements(const ElementRules& rules, ParticleTable& table,
                          ReadFrom& from);

/// Assigns elements to the particles of a trajectory by these rules, and describes the
/// result in TrajectoryInfo::remarks. `structure`: the one that the reader was opened
/// with, or null.
std::unique_ptr<TrajectoryReader> with_elements(
    std::unique_ptr<TrajectoryReader> reader, const ElementRules& rules,
    const Structure* structure = nullptr);

}  // namespace starhist::io
