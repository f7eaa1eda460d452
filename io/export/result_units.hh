#pragma once

#include <string>

#include "io/result/result_reader.hh"

namespace starhist::io {

/// The units of what a user asks for, as unit_spelling() has them.
struct ShownUnits {
  std::string unit;            ///< of files that do not say theirs; "": none
  std::string out_unit;        ///< in which lengths are shown; "": that of the file
  std::string time_unit = {};  ///< of files that do not say theirs; "": none
};

/// Gives the result the units of `units` for those that it does not say, and converts
/// its bins, boxes, volumes and densities to `units.out_unit`. Counts stay. Throws
/// InputError when the result has another unit than these, or one that cannot be
/// converted.
void set_units(ResultFile& result, const ShownUnits& units);

}  // namespace starhist::io
