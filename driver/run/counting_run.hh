#pragma once

#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "driver/run/frame_source.hh"
#include "driver/run/run_hooks.hh"
#include "driver/run/run_summary.hh"
#include "tasks/pair_counter.hh"

namespace starhist::driver {

/// What is counted, and how.
struct RunSpec {
  HistogramLayout layout;
  PairExclusions exclusions;       ///< made for the same layout; default: none
  tasks::CountingOptions options;  ///< `frames`: expected number, for sizes of tasks
  /// The frames are those of a simulation that runs (io::TrajectoryInfo::stream):
  /// blocks are given to the sink while the next frame is awaited, and a run that is
  /// cancelled has counted all it will.
  bool stream = false;
};

/// Counts all frames of `source` and gives the blocks of counts to `sink`, in order and
/// in the calling thread. The last block is shorter where the frames end within it.
///
/// A cancelled run ends before its next frame, and the sink gets everything that was
/// counted. Throws InputError when the counts do not fit into memory, when no frame can
/// be used, and for the first frame that cannot be used; the sink then gets the full
/// blocks before it. Throws RunError when StarPU fails, InternalError when the sum rule
/// is broken, and what `source` and `sink` throw. One run at a time may use `runtime`.
RunResult count_frames(FrameSource& source, tasks::Runtime& runtime,
                       const RunSpec& spec, const tasks::PairCounter::BlockSink& sink,
                       const RunHooks& hooks = {});

}  // namespace starhist::driver
