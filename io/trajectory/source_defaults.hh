#pragma once

#include "io/particles/structure.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// The sources of one file as its reader states them, with the parts that it leaves
/// empty filled in. `structure` may be null. `length_unit`: the one that lengths are
/// in, "" if it is unknown.
ReadFrom complete_read_from(const TrajectoryInfo& file, const Structure* structure,
                            const std::string& length_unit);

}  // namespace starhist::io
