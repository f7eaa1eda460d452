#pragma once

#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "driver/run/frames/frame_source.hh"
#include "driver/run/run_hooks.hh"
#include "driver/run/run_summary.hh"
#include "tasks/pair_counter.hh"

namespace starhist::driver {

/// What to count, and how.
struct RunSpec {
  HistogramLayout layout;
  PairExclusions exclusions;       ///< for the same layout; default: none
  tasks::CountingOptions options;  ///< `frames`: expected number, for task sizes
  /// The frames come from a running simulation (io::TrajectoryInfo::stream): blocks are
  /// passed to the sink while the next frame is awaited, and a cancelled run is final.
  bool stream = false;
  /// Pairs of all frames, for progress; 0: estimated from the first frame with pairs.
  std::uint64_t expected_pairs = 0;
};

/// Counts all frames of `source` and passes the blocks of counts to `sink`, in order
/// and in the calling thread. The last block is shorter if the frames end within it.
///
/// A cancelled run ends before its next frame, and the sink receives all counts. Throws
/// InputError if the counts do not fit into memory, if no frame is usable, and for the
/// first unusable frame; the sink then receives the full blocks before it. Throws
/// RunError when StarPU fails, InternalError if the sum rule is broken, and exceptions
/// of `source` and `sink`. One run at a time may use `runtime`.
RunResult count_frames(FrameSource& source, tasks::Runtime& runtime,
                       const RunSpec& spec, const tasks::PairCounter::BlockSink& sink,
                       const RunHooks& hooks = {});

}  // namespace starhist::driver
