#include "io/formats/lammps/lammps_units.hh"

#include <map>

namespace starhist::io {

LammpsUnits lammps_units(const std::string& style) {
  static const std::map<std::string, LammpsUnits> known = {
      {"real", {"A", "fs"}},    {"metal", {"A", "ps"}},       {"nano", {"nm", "ns"}},
      {"si", {"m", "s"}},       {"cgs", {"cm", "s"}},         {"micro", {"um", "us"}},
      {"lj", {"sigma", "tau"}}, {"electron", {"bohr", "fs"}},
  };
  const auto found = known.find(style);
  return found == known.end() ? LammpsUnits{"", ""} : found->second;
}

}  // namespace starhist::io
