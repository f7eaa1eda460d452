#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "codelets/core/counting/coordination.hh"
#include "driver/run/trajectory_run.hh"
#include "io/result/coordination_result.hh"

namespace starhist::driver {

/// Shells to count, and optional parts of the result.
struct CoordinationSpec {
  std::vector<NeighbourShell> shells;
  bool per_frame = false;
  bool per_particle = false;
};

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

/// Counts the neighbours in all frames of the run, which was created with
/// TrajectoryRunSpec::particle_order, on all processors of this process, and writes the
/// result file. Throws InputError if the specification does not suit the trajectory, or
/// a cut-off exceeds half the shortest lattice vector of a frame; otherwise like
/// TrajectoryRun::count(). `result`: the blocks of the run that is resumed, if any,
/// which check_resumed() accepts; receives the contents of the file. Finished blocks
/// are saved every TrajectoryRunSpec::checkpoint_seconds, and when the run is stopped
/// or fails.
CoordinationSummary count_coordination(TrajectoryRun& run, const CoordinationSpec& spec,
                                       const std::stop_token& stop,
                                       io::CoordinationResult& result);

}  // namespace starhist::driver
