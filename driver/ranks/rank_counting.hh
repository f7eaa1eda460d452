#pragma once

#include <optional>
#include <stop_token>

#include "driver/ranks/rank_link.hh"
#include "driver/run/counting_run.hh"
#include "driver/run/frame_stream.hh"

namespace starhist::driver {

/// What a rank counts with.
struct RankRun {
  const RunSpec* spec = nullptr;  ///< `options` are those of this rank
  FrameStream* frames = nullptr;  ///< one that grows
  BadFrames bad_frames = BadFrames::fail;
  /// The first frame of the run, for comparison: index and box.
  Frame first;
  /// Most frames of a work unit [>= 1].
  std::uint64_t most_frames_per_unit = 1;
  /// What `frames` already reads: the unit that is expected to come first.
  std::optional<WorkUnit> read_ahead = {};
  std::stop_token stop = {};  ///< a signal has come to this process
  /// Number of the signal, once `stop` is requested.
  std::function<int()> signal = [] { return 0; };
};

/// Counts the work units that come by `link` until there are no more, and sends their
/// counts back. Returns what this rank has done; that is not sent. A frame that cannot
/// be used is reported by `link`. Throws RunError and InternalError as count_frames().
RankWork count_units(const RankRun& run, tasks::Runtime& runtime, RankLink& link);

}  // namespace starhist::driver
