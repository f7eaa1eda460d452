#pragma once

#include <atomic>
#include <functional>
#include <stop_token>
#include <thread>
#include <vector>

namespace starhist::driver {

/// Signals that ask a run to stop: INT, TERM, USR1, XCPU and HUP, except for those that
/// were ignored at the start (as HUP is under nohup). The first one is a stop request;
/// a second one ends the process at once, with that signal. One object at a time.
class StopSignals {
 public:
  /// Seconds after the first signal after which the process ends with exit code
  /// ExitCode::stopped, whatever it is doing.
  static constexpr int patience_seconds = 20;

  /// Blocks the signals in this thread and in those that it starts later, and waits for
  /// them in a thread of its own. Before StarPU starts. `out_of_patience` is called in
  /// that thread before the process ends.
  explicit StopSignals(std::function<void()> out_of_patience);
  /// Signals do again what they did before.
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  std::stop_token token() const { return stop_.get_token(); }
  /// The first signal; 0: none has come.
  int signal() const { return signal_; }
  /// From now on nothing ends the process but a second signal: the run has stopped.
  void disarm() { armed_ = false; }

 private:
  void wait();

  std::function<void()> out_of_patience_;
  std::vector<int> signals_;
  std::stop_source stop_;
  std::atomic<int> signal_ = 0;
  std::atomic<bool> armed_ = true;
  int signal_file_ = -1;
  int end_file_ = -1;
  std::thread thread_;
};

}  // namespace starhist::driver
