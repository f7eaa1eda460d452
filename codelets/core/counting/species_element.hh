#pragma once

#include <string>

namespace starhist {

/// Elements of the particles of a species.
struct SpeciesElement {
  /// Symbol of all particles, as "O"; "DUMMY" for sites without an atom; several, as
  /// "H, O", where particles differ, with "?" for those of unknown element; "":
  /// unknown.
  std::string element;
  /// "the file", "--aliases", "guessed from names"; several are separated by "; ". ""
  /// if the element is unknown.
  std::string source;

  bool operator==(const SpeciesElement&) const = default;
};

}  // namespace starhist
