#pragma once

#include <memory>
#include <string>

#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// The same trajectory for a box of --box, which its readers were opened with:
/// ReadFrom::box says so.
std::unique_ptr<TrajectoryReader> with_given_box(
    std::unique_ptr<TrajectoryReader> reader);

/// The same trajectory with the boxes of a file (read_frame_boxes()), one per frame, in
/// its order; lengths are converted where both units are known. Where both have steps,
/// or else times, those of each frame must agree. The readers were opened with an open
/// ReadOptions::box. Throws InputError when the numbers of frames differ, when the
/// first or last frame has another step or time, and for a simulation that runs;
/// reading a frame throws for another step or time.
std::unique_ptr<TrajectoryReader> with_boxes_of(
    std::unique_ptr<TrajectoryReader> reader, const std::string& path);

}  // namespace starhist::io
