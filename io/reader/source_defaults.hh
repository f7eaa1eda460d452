#pragma once

#include "io/particles/structure.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// Returns the sources of one file as set by its reader, with empty parts filled in.
/// `structure` may be null. `length_unit`: unit of the lengths; "": unknown.
ReadFrom complete_read_from(const TrajectoryInfo& file, const Structure* structure,
                            const std::string& length_unit);

}  // namespace starhist::io
