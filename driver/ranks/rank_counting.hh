#pragma once

#include <optional>
#include <stop_token>

#include "driver/axes/particle_directions.hh"
#include "driver/lags/lag_plan.hh"
#include "driver/ranks/rank_link.hh"
#include "driver/run/counting_run.hh"
#include "driver/run/frames/frame_stream.hh"

namespace starhist::driver {

/// Inputs of a rank's counting.
struct RankRun {
  const RunSpec* spec = nullptr;  ///< with the options of this rank
  /// A count between frames, whose units are whole blocks; null: within frames.
  const LagPlan* lags = nullptr;
  ParticleDirections* vectors = nullptr;  ///< TrajectoryRun::vectors()
  FrameStream* frames = nullptr;          ///< a stream that can be extended
  BadFrames bad_frames = BadFrames::fail;
  /// The run's first frame, for comparison: index and box.
  Frame first;
  /// Maximum number of frames per work unit [>= 1].
  std::uint64_t most_frames_per_unit = 1;
  /// The unit that `frames` already reads, because it is expected first.
  std::optional<WorkUnit> read_ahead = {};
  std::stop_token stop = {};  ///< requested after a signal to this process
  /// Number of the signal, after `stop` was requested.
  std::function<int()> signal = [] { return 0; };
};

/// Counts the work units that arrive through `link` until there are no more, and sends
/// their counts back. Returns the rank's work report without sending it. Reports an
/// unusable frame through `link`. Throws RunError and InternalError like
/// count_frames().
RankWork count_units(const RankRun& run, tasks::Runtime& runtime, RankLink& link);

}  // namespace starhist::driver
