#pragma once

#include <cstdint>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"

namespace starhist {

/// Data of a frame in BlockCounts, except the counts. Vectors are per species and per
/// pair of the layout.
struct FrameFacts {
  FrameIndex index;
  std::int64_t step = 0;
  double time = no_time;
  Box box;
  double period = 0.0;                         ///< Frame::period
  std::uint64_t checksum = 0;                  ///< Frame::checksum
  std::vector<std::uint64_t> particle_number;  ///< per species
  std::vector<std::uint64_t> pairs;            ///< per pair: number of counted pairs
  std::vector<std::uint64_t> excluded;         ///< per pair: number of excluded pairs
  std::uint64_t work = 0;                      ///< PairExclusions::work()
};

/// Throws InputError if the frame does not have the particles for which `exclusions`
/// were made.
FrameFacts facts_of(const HistogramLayout& layout, const PairExclusions& exclusions,
                    const Frame& frame);

/// Adds a frame to the sums of its block. `region`: of the layout. Frames must be added
/// in order, because sums of volumes are rounded.
void add_frame(const Region& region, const FrameFacts& frame, BlockCounts& block);

}  // namespace starhist
