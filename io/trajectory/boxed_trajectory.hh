#pragma once

#include <memory>
#include <string>

#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// Wraps a trajectory whose readers were opened with the box of --box: records the
/// option in ReadFrom::box.
std::unique_ptr<TrajectoryReader> with_given_box(
    std::unique_ptr<TrajectoryReader> reader, const Box& box);

/// Replaces the boxes of a trajectory by the boxes in a file (read_frame_boxes()), one
/// per frame in order. Lengths are converted if both units are known. Steps or, if one
/// side lacks them, times of each frame must agree. The readers must have been opened
/// with an open ReadOptions::box. Throws InputError when the numbers of frames differ,
/// when the first or last frame has a different step or time, and for a running
/// simulation; reading a frame throws for a different step or time.
std::unique_ptr<TrajectoryReader> with_boxes_of(
    std::unique_ptr<TrajectoryReader> reader, const std::string& path);

}  // namespace starhist::io
