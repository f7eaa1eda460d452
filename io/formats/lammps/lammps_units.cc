#include "io/formats/lammps/lammps_units.hh"

#include <map>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"

namespace starhist::io {
namespace {

const std::map<std::string, LammpsUnits>& known_styles() {
  static const std::map<std::string, LammpsUnits> known = {
      {"real", {"A", "fs"}},    {"metal", {"A", "ps"}},       {"nano", {"nm", "ns"}},
      {"si", {"m", "s"}},       {"cgs", {"cm", "s"}},         {"micro", {"um", "us"}},
      {"lj", {"sigma", "tau"}}, {"electron", {"bohr", "fs"}},
  };
  return known;
}

/// Returns the unit style; the pair of length and time identifies it.
std::string style_of(const std::string& length, const std::string& time) {
  for (const auto& [style, units] : known_styles()) {
    if (units.length == length && units.time == time) {
      return style;
    }
  }
  return length + " and " + time;
}

}  // namespace

LammpsUnits lammps_units(const std::string& style) {
  const auto found = known_styles().find(style);
  return found == known_styles().end() ? LammpsUnits{"", ""} : found->second;
}

void check_known_units(const std::string& path, const std::string& style,
                       const std::string& given) {
  if (style.empty() || !given.empty() || known_styles().contains(style)) {
    return;
  }
  std::vector<std::string> known;
  for (const auto& entry : known_styles()) {
    known.push_back(entry.first);
  }
  throw InputError(path + ": states units '" + style.substr(0, 40) +
                   "', which LAMMPS does not define (known: " + join(known, ", ") +
                   "): give the length unit with --unit");
}

void check_same_units(const std::string& path, const LammpsUnits& units,
                      const char* stated, const Structure& structure) {
  const std::string own = style_of(units.length, units.time);
  const std::string other = style_of(structure.length_unit, structure.time_unit);
  if (*units.length != '\0' && !structure.length_unit.empty() && own != other) {
    throw InputError(path + ": is in units " + own + " (" + stated +
                     "), but the structure " + structure.path + " in units " + other +
                     " (give the one of the same simulation)");
  }
}

}  // namespace starhist::io
