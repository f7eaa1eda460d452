#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace starhist::driver {

/// How a second signal ends the process at once.
enum class SecondSignal {
  kills,  ///< by that signal, as a user's shell expects
  stops,  ///< with the last words and ExitCode::stopped: MPI launchers send TERM to all
          ///< ranks as soon as one has ended, and pass on the highest exit code
};

/// Signals that request a stop: INT, TERM, USR1, XCPU and HUP, except for those ignored
/// at the start (such as HUP under nohup). The first is a stop request; a second one
/// ends the process at once. After stop_listening() or this object's destruction,
/// signals have no effect, so that none interferes between result and exit code. One
/// object per process, until the process is about to end.
class StopSignals {
 public:
  /// Seconds from the first signal until the process ends with ExitCode::stopped,
  /// whatever it is doing.
  static constexpr int patience_seconds = 20;
  /// Within this time the same signal counts once: timeout(1) sends it to the process
  /// and to its group, and launchers repeat the ranks' signals.
  static constexpr std::chrono::milliseconds repeat_time{200};

  /// Blocks the signals in this thread and its later children, and waits for them in a
  /// separate thread. Call it before StarPU and MPI start.
  explicit StopSignals(SecondSignal second = SecondSignal::kills);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  std::stop_token token() const { return stop_.get_token(); }
  /// The first signal; 0: none yet.
  int signal() const { return signal_; }
  /// Sets a function that is called in another thread when the process has not stopped
  /// in time, before it ends.
  void set_last_words(std::function<void()> last_words);
  /// From now on only a second signal ends the process: the run has stopped.
  void disarm() { armed_ = false; }
  /// From now on neither signals nor the time since the first one have any effect.
  void stop_listening();

 private:
  void wait();
  [[noreturn]] void end_as_stopped();

  const SecondSignal second_;
  std::mutex mutex_;
  std::function<void()> last_words_;  ///< guarded by mutex_; may be empty
  std::vector<int> signals_;
  std::stop_source stop_;
  std::atomic<int> signal_ = 0;
  std::atomic<bool> armed_ = true;
  int signal_file_ = -1;
  int end_file_ = -1;
  std::thread thread_;
};

}  // namespace starhist::driver
