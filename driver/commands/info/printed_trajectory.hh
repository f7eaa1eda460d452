#pragma once

#include <cstdint>
#include <string>

#include "io/reader/trajectory_reader.hh"

namespace starhist::driver {

/// Prints the description of a trajectory, from its first 1000 frames or `all`.
/// `out_unit`: unit of printed lengths; "": the file's unit. Returns the number of
/// unusable frames.
std::uint64_t print_trajectory(io::TrajectoryReader& reader,
                               const io::ReadOptions& reading, bool all,
                               const std::string& out_unit);

}  // namespace starhist::driver
