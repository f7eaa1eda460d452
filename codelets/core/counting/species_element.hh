#pragma once

#include <string>

namespace starhist {

/// Elements of the particles of a species.
struct SpeciesElement {
  /// Symbol of all particles, such as "O"; "DUMMY" for sites without an atom; several,
  /// such as "H, O", if particles differ, with "?" for particles of unknown element;
  /// "": unknown.
  std::string element;
  /// Source of the element: "the file", "--aliases", "guessed from names"; several are
  /// separated by "; ". "" if the element is unknown.
  std::string source;

  bool operator==(const SpeciesElement&) const = default;
};

}  // namespace starhist
