#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>

namespace starhist::driver {

/// How far a run has come.
struct RunProgress {
  std::uint64_t frames = 0;          ///< submitted to StarPU
  std::uint64_t pairs = 0;           ///< counted
  std::uint64_t expected_pairs = 0;  ///< of the whole run, by its first frame with
                                     ///< pairs; 0 before that frame
  double seconds = 0.0;              ///< since the run began to count
};

/// What a caller may do while count_frames() works.
struct RunHooks {
  /// Called every `progress_interval` from a thread of its own, and once more at the
  /// end of a run without errors. It must not throw. Empty: no calls.
  std::function<void(const RunProgress&)> progress = {};
  std::chrono::milliseconds progress_interval{250};
  /// Asks the run to end before its next frame.
  std::stop_token cancel = {};
};

}  // namespace starhist::driver
