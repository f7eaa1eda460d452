#pragma once

#include <functional>
#include <stop_token>

#include "driver/coordination/coordination_run.hh"
#include "driver/ranks/rank_link.hh"
#include "driver/run/frames/frame_stream.hh"

namespace starhist::driver {

/// Inputs of a rank that counts neighbours.
struct NeighbourRun {
  const TrajectoryRun* run = nullptr;
  const CoordinationSpec* spec = nullptr;
  FrameStream* frames = nullptr;  ///< TrajectoryRun::growing_stream()
  const Frame* first = nullptr;   ///< for NeighbourCounter::follow()
  std::stop_token stop;           ///< requested after a signal to this process
  std::function<int()> signal;    ///< number of the signal, after `stop` was requested
};

/// Counts the neighbours in work units, whole blocks, like count_units(). UnitCounts::
/// block is a packed CoordinationBlock.
RankWork count_neighbour_units(const NeighbourRun& run, RankLink& link);

/// Throws InternalError for invalid bytes.
CoordinationBlock unpacked_neighbours(const std::vector<char>& bytes);

}  // namespace starhist::driver
