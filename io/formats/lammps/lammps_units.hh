#pragma once

#include <string>

#include "io/particles/structure.hh"

namespace starhist::io {

/// Lengths and times of LAMMPS' `units` command.
struct LammpsUnits {
  const char* length;
  const char* time;
};

/// "" and "" for a style that is not known.
LammpsUnits lammps_units(const std::string& style);

/// Throws InputError for a style that a file states and that is not known, unless the
/// unit of length is `given` by the user. "" is no statement.
void check_known_units(const std::string& path, const std::string& style,
                       const std::string& given);

/// Throws InputError where the file at `path`, dump or data, states other units than
/// the structure; each may be silent. The units are those of lammps_units(). `stated`:
/// how the file does, "ITEM: UNITS".
void check_same_units(const std::string& path, const LammpsUnits& units,
                      const char* stated, const Structure& structure);

}  // namespace starhist::io
