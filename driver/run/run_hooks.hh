#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>

#include "tasks/pair_counter.hh"

namespace starhist::driver {

/// Progress of a run.
struct RunProgress {
  std::uint64_t frames = 0;  ///< number of frames submitted to StarPU
  std::uint64_t pairs = 0;   ///< number of pairs counted
  /// Number of pairs of the whole run, estimated from its first frame with pairs; 0
  /// before that frame.
  std::uint64_t expected_pairs = 0;
  double seconds = 0.0;     ///< time since counting started [s]
  std::uint32_t ranks = 1;  ///< number of counting processes
};

/// A caller's hooks in count_frames().
struct RunHooks {
  /// Called every `progress_interval` in a separate thread, one call at a time, and
  /// once more in the calling thread at the end of a run without errors. It must not
  /// throw. Empty: no calls.
  std::function<void(const RunProgress&)> progress = {};
  std::chrono::milliseconds progress_interval{250};  ///< [> 0]
  /// A stop request, from any thread, ends the run before its next frame. Default: the
  /// run cannot be cancelled.
  std::stop_token cancel = {};
  /// Called in the calling thread with the counts of a block that is not full, at least
  /// every `checkpoint_interval` of counting and at the end of a cancelled run, with
  /// the data needed to resume the run (tasks::CountingOptions). An exception ends the
  /// run. Empty: no calls, and the open block of a cancelled run goes to the sink.
  tasks::PairCounter::PartSink checkpoint = {};
  std::chrono::milliseconds checkpoint_interval{60'000};  ///< [> 0]
};

}  // namespace starhist::driver
