#pragma once

#include <string>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::driver {

/// Whether --box sets a box that is periodic along some axis.
bool sets_box(const io::ReadOptions& options);

/// Warning about find_small_box() of a frame read with --box: if images overlay
/// particles, or the particles fit into the file's box; "" otherwise.
std::string small_box_problem(const std::vector<std::string>& paths,
                              const io::ReadOptions& options, const Frame& frame,
                              const std::string& length_unit);

/// io::broken_molecules() of a frame if the options open all axes of the file's box; ""
/// otherwise, and if the file cannot be read with its box.
std::string opened_molecules(const std::vector<std::string>& paths,
                             const io::ReadOptions& options, FrameIndex index);

}  // namespace starhist::driver
