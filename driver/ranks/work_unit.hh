#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/counting/frame_facts.hh"
#include "codelets/core/counting/row_part.hh"

namespace starhist::driver {

/// Work that one rank counts at a time: consecutive frames of one block, or a part of
/// the rows of one frame; between frames a whole block.
struct WorkUnit {
  std::uint64_t number = 0;  ///< counted from 0, in the order of frames and parts
  std::uint64_t begin = 0;   ///< number of its first frame in the selection
  std::uint64_t end = 0;     ///< one past its last frame
  RowPart rows;              ///< all rows unless it has one frame

  std::uint64_t frames() const { return end - begin; }
};

/// A frame that was left out.
struct LeftOutFrame {
  std::uint64_t number = 0;  ///< in the selection
  std::string why;
};

/// The counts of a work unit.
struct UnitCounts {
  WorkUnit unit;
  /// One past the last frame that was counted or left out: unit.end, or less if the run
  /// was stopped.
  std::uint64_t end = 0;
  std::vector<FrameFacts> frames;      ///< counted frames, in order
  std::vector<LeftOutFrame> left_out;  ///< the others, in order
  /// As in BlockCounts; empty if no frame was counted.
  std::vector<std::vector<std::uint64_t>> counts;
  std::vector<std::uint64_t> underflow;
  std::vector<std::uint64_t> out_of_range;
  std::vector<std::vector<std::uint64_t>> second;
  /// The finished block in packed form (packing.hh) if units are whole blocks;
  /// `frames` and counts are then empty. Empty if no frame was counted.
  std::vector<char> block;
};

}  // namespace starhist::driver
