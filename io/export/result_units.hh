#pragma once

#include <string>

#include "io/result/lag_result.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {

/// Units requested by the user, in the spelling of unit_spelling().
struct ShownUnits {
  std::string unit;      ///< length unit of files that do not specify it; "": not given
  std::string out_unit;  ///< length unit of the output; "": the file's unit
  /// time unit of files that do not specify it; "": not given
  std::string time_unit = {};
};

/// Sets the units that the result lacks from `units`, and converts its bins, boxes,
/// volumes and densities to `units.out_unit`. Counts do not change. Throws InputError
/// when the result has a different unit, or one that cannot be converted.
void set_units(ResultFile& result, const ShownUnits& units);
void set_units(LagResult& result, const ShownUnits& units);

}  // namespace starhist::io
