#pragma once

#include <string>

#include "io/particles/structure.hh"

namespace starhist::io {

/// Units of length and time of LAMMPS' `units` command.
struct LammpsUnits {
  const char* length;
  const char* time;
};

/// Returns the units of a style; "" and "" for an unknown style.
LammpsUnits lammps_units(const std::string& style);

/// Throws InputError if a file specifies an unknown style, unless the user specifies
/// the length unit, `given`. "": the file does not specify a style.
void check_known_units(const std::string& path, const std::string& style,
                       const std::string& given);

/// Throws InputError if the file at `path`, dump or data, has other units than the
/// structure; either may lack them. `units`: see lammps_units(). `stated`: their source
/// in the file, "ITEM: UNITS".
void check_same_units(const std::string& path, const LammpsUnits& units,
                      const char* stated, const Structure& structure);

}  // namespace starhist::io
