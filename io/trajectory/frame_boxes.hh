#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist::io {

/// A box of a FrameBoxes.
struct FrameBox {
  std::optional<std::int64_t> step;
  std::optional<double> time;
  Box box;
  std::uint64_t line = 0;  ///< of the file
};

/// Boxes of the frames of a trajectory, one after the other.
struct FrameBoxes {
  std::string path;
  std::string length_unit = {};  ///< "" where the file states none
  std::string time_unit = {};    ///< the same
  std::vector<FrameBox> boxes;
};

/// Reads a file with one box per line: CP2K's .cell, NAMD's .xst, Grace files (.xvg) of
/// gmx energy and gmx traj -ob, or plain columns: the time and 3 lengths, 9 numbers of
/// the edge vectors, or columns named in a line that begins with '#'. Throws
/// InputError, with the line, for other columns and for numbers that are no box.
FrameBoxes read_frame_boxes(const std::string& path);

/// The forms that read_frame_boxes() accepts, for messages.
std::string frame_box_forms();

}  // namespace starhist::io
