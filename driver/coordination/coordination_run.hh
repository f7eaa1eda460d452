#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "driver/coordination/neighbour_counter.hh"
#include "driver/run/trajectory_run.hh"
#include "io/result/coordination_result.hh"

namespace starhist::driver {

/// Throws InputError if the specification does not suit the trajectory.
void check_input(const TrajectoryRun& run, const CoordinationSpec& spec);

/// Throws InputError unless the earlier blocks, to which TrajectoryRun::resume_point()
/// refers, have the shells of this run.
void check_resumed(const TrajectoryRun& run, const CoordinationSpec& spec,
                   const io::CoordinationResult& earlier);

/// Summary of a run.
struct CoordinationSummary {
  bool cancelled = false;            ///< only finished blocks were saved
  std::uint64_t frames = 0;          ///< counted, including earlier runs
  std::uint64_t frames_kept = 0;     ///< of a cancelled run: those in saved blocks
  std::uint64_t skipped_before = 0;  ///< left out by the runs that are resumed
  double seconds = 0.0;
  std::vector<std::string> skipped_frames;
  std::vector<std::pair<std::string, std::uint64_t>> empty_selections;
};

/// The frame for NeighbourCounter::follow() if an earlier run has counted it.
/// `earlier`: its result.
std::optional<FrameIndex> followed_frame(const CoordinationSpec& spec,
                                         const io::CoordinationResult& earlier);

/// The frames that were counted.
struct CountedNeighbours {
  bool cancelled = false;  ///< only full blocks went to the sink
  /// A message for each frame that was left out.
  std::vector<std::string> skipped_frames;
};

/// Counts the frames of a run in place of this process, for example in several
/// processes. An input that has changed is an error before the last block.
using CoordinationCounter = std::function<CountedNeighbours(const NeighbourSink& sink)>;

/// Counts the neighbours in all frames of the run, which was created with
/// TrajectoryRunSpec::particle_order, on all processors of this process, and writes the
/// result file. Throws InputError if the specification does not suit the trajectory, or
/// a cut-off exceeds half the shortest lattice vector of a frame; otherwise like
/// TrajectoryRun::count(). `result`: the blocks of the run that is resumed, if any,
/// which check_resumed() accepts; receives the contents of the file. Finished blocks
/// are saved every TrajectoryRunSpec::checkpoint_seconds, and when the run is stopped
/// or fails. `counter`: counts in place of this process.
CoordinationSummary count_coordination(TrajectoryRun& run, const CoordinationSpec& spec,
                                       const std::stop_token& stop,
                                       io::CoordinationResult& result,
                                       const CoordinationCounter& counter = {});

}  // namespace starhist::driver
