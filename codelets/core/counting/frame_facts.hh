#pragma once

#include <cstdint>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"

namespace starhist {

/// What BlockCounts has of a frame besides the counts. Vectors are per species and per
/// pair of the layout.
struct FrameFacts {
  FrameIndex index;
  std::int64_t step = 0;
  double time = no_time;
  Box box;
  std::uint64_t checksum = 0;                  ///< Frame::checksum
  std::vector<std::uint64_t> particle_number;  ///< per species
  std::vector<std::uint64_t> pairs;            ///< per pair: those that count
  std::vector<std::uint64_t> excluded;         ///< per pair: those that do not
};

FrameFacts facts_of(const HistogramLayout& layout, const PairExclusions& exclusions,
                    const Frame& frame);

/// Adds a frame to the sums of its block. Frames are added in their order, as sums of
/// volumes are rounded.
void add_frame(const FrameFacts& frame, BlockCounts& block);

}  // namespace starhist
