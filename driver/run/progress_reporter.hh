#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "codelets/run_status.hh"
#include "driver/run/run_hooks.hh"

namespace starhist::driver {

/// Calls RunHooks::progress at intervals from a separate thread, until finish() or
/// destruction.
class ProgressReporter {
 public:
  /// Both arguments must outlive this object. Does nothing if RunHooks::progress is
  /// empty.
  ProgressReporter(const RunHooks& hooks, const codelets::RunStatus& status);
  ~ProgressReporter();
  ProgressReporter(const ProgressReporter&) = delete;
  ProgressReporter& operator=(const ProgressReporter&) = delete;

  /// Counts a submitted frame. Called by one thread.
  void add_frame() { ++frames_; }
  /// Sets the expected number of pairs of the whole run.
  void expect(std::uint64_t pairs) { expected_pairs_ = pairs; }
  bool expects_pairs() const { return expected_pairs_ > 0; }

  /// Ends the thread and calls the function a last time.
  void finish();

 private:
  void report() const;
  void report_until_stopped();
  void stop();

  const RunHooks& hooks_;
  const codelets::RunStatus& status_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> frames_ = 0;
  std::atomic<std::uint64_t> expected_pairs_ = 0;
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace starhist::driver
