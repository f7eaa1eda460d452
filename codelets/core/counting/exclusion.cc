#include "codelets/core/counting/exclusion.hh"

#include <algorithm>
#include <array>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"

namespace starhist {
namespace {

// In the order of the enumerations.
constexpr std::array compound_names{"residue", "molecule"};
constexpr std::array exclusion_names{"none", "same residue", "same molecule",
                                     "different residues", "different molecules"};

}  // namespace

std::string to_string(Compound compound) {
  return compound_names[static_cast<std::size_t>(compound)];
}

Compound parse_compound(const std::string& name) {
  const auto found = std::find(compound_names.begin(), compound_names.end(), name);
  if (found == compound_names.end()) {
    throw InputError("'" + name + "' is not one of " +
                     join({compound_names.begin(), compound_names.end()}, ", "));
  }
  return static_cast<Compound>(found - compound_names.begin());
}

Exclusion exclude_same(Compound compound) {
  return compound == Compound::residue ? Exclusion::same_residue
                                       : Exclusion::same_molecule;
}

Exclusion only_same(Compound compound) {
  return compound == Compound::residue ? Exclusion::different_residues
                                       : Exclusion::different_molecules;
}

Compound compound_of(Exclusion exclusion) {
  switch (exclusion) {
    case Exclusion::same_residue:
    case Exclusion::different_residues:
      return Compound::residue;
    case Exclusion::same_molecule:
    case Exclusion::different_molecules:
      return Compound::molecule;
    case Exclusion::none:
      break;
  }
  throw InternalError("without exclusions, no unit applies");
}

bool counts_only_same(Exclusion exclusion) {
  return exclusion == Exclusion::different_residues ||
         exclusion == Exclusion::different_molecules;
}

std::string to_string(Exclusion exclusion) {
  return exclusion_names[static_cast<std::size_t>(exclusion)];
}

Exclusion parse_exclusion(const std::string& name) {
  const auto found = std::find(exclusion_names.begin(), exclusion_names.end(), name);
  if (found == exclusion_names.end()) {
    throw InputError("exclusion '" + name + "' is unknown (it is one of " +
                     join({exclusion_names.begin(), exclusion_names.end()}, ", ") +
                     ")");
  }
  return static_cast<Exclusion>(found - exclusion_names.begin());
}

}  // namespace starhist
