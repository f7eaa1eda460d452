#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist::io {

/// One box, with its line.
struct FrameBox {
  std::optional<std::int64_t> step;
  std::optional<double> time;
  Box box;
  std::uint64_t line = 0;  ///< line number in the file
};

/// Boxes of consecutive frames of a trajectory.
struct FrameBoxes {
  std::string path;
  std::string length_unit = {};  ///< "" if the file does not specify it
  std::string time_unit = {};    ///< "" if the file does not specify it
  std::vector<FrameBox> boxes;
};

/// Reads a file with one box per line: CP2K's .cell, NAMD's .xst, Grace files (.xvg) of
/// gmx energy and gmx traj -ob, or plain columns: the time and 3 lengths, 9 numbers of
/// the edge vectors, or columns named in a line that begins with '#'. Throws InputError
/// naming the line for other columns and for an invalid box.
FrameBoxes read_frame_boxes(const std::string& path);

/// Describes the forms that read_frame_boxes() accepts, for messages.
std::string frame_box_forms();

}  // namespace starhist::io
