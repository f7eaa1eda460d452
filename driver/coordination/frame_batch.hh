#pragma once

#include <cstdint>
#include <vector>

#include "codelets/kernels/neighbours/count_neighbours.hh"
#include "driver/coordination/excluded_neighbours.hh"
#include "tasks/runtime/thread_pool.hh"

namespace starhist::driver {

/// Neighbours of one shell in one frame.
struct ShellCounts {
  NeighbourCounts by_number;          ///< particles by their number of neighbours
  std::vector<std::uint32_t> counts;  ///< numbers of neighbours by particle
};

/// Counts the neighbours of several frames in several threads: frames and parts of
/// frames are shared out.
class FrameBatch {
 public:
  FrameBatch(const std::vector<NeighbourShell>& shells, Exclusion exclusion,
             const io::TrajectoryInfo& info);

  /// Returns the neighbours by frame and shell, entry frame * shells + shell; valid
  /// until the next call. Throws like ExcludedNeighbours::subtract().
  const std::vector<ShellCounts>& count(const std::vector<Frame>& frames,
                                        tasks::ThreadPool& threads);

 private:
  const std::vector<NeighbourShell> shells_;
  std::vector<ExcludedNeighbours> excluded_;  ///< by shell
  std::vector<ShellCounts> results_;
};

}  // namespace starhist::driver
