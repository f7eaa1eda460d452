#pragma once

#include <cstdint>
#include <vector>

#include "codelets/core/counting/coordination.hh"
#include "codelets/core/counting/histogram.hh"
#include "io/result/coordination_result.hh"

namespace starhist::driver {

/// The neighbours in the frames of one block.
struct CoordinationBlock {
  std::uint64_t number = 0;  ///< of the block in the selection, including empty ones
  BlockCounts block;         ///< without pairs
  std::vector<NeighbourCounts> counts;                ///< by shell
  std::vector<double> times;                          ///< Frame::time by frame
  io::FrameNeighbours frames;                         ///< entry frame * shells + shell
  std::vector<std::vector<std::uint64_t>> particles;  ///< neighbours by shell, or empty
};

}  // namespace starhist::driver
