#pragma once

#include <string>

#include "io/result/result_reader.hh"

namespace starhist::io {

/// The length units of what a user asks for, as unit_spelling() has them.
struct ShownUnits {
  std::string unit;      ///< of files that do not say theirs; "": none
  std::string out_unit;  ///< in which lengths are shown; "": that of the file
};

/// Gives the result the length unit `units.unit`, if it has none, and converts its
/// bins, boxes, volumes and densities to `units.out_unit`. Counts stay. Throws
/// InputError when the result has another unit than `units.unit`, or one that cannot be
/// converted.
void set_units(ResultFile& result, const ShownUnits& units);

}  // namespace starhist::io
