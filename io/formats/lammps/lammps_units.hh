#pragma once

#include <string>

namespace starhist::io {

/// Lengths and times of LAMMPS' `units` command.
struct LammpsUnits {
  const char* length;
  const char* time;
};

/// "" and "" for a style that is not known.
LammpsUnits lammps_units(const std::string& style);

}  // namespace starhist::io
