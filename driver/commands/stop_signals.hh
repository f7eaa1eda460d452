#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace starhist::driver {

/// How a process ends at once that gets a second signal.
enum class SecondSignal {
  kills,  ///< of that signal, as the shell of a user expects it
  stops,  ///< with last words and ExitCode::stopped: launchers of ranks send TERM to
          ///< all as soon as one has ended, and hand on the highest exit code
};

/// Signals that ask a run to stop: INT, TERM, USR1, XCPU and HUP, except for those that
/// were ignored at the start (as HUP is under nohup). The first one is a stop request;
/// a second one ends the process at once. From stop_listening() or the end of this
/// object on signals have no effect, so that none comes between the result and the exit
/// code: one object in a process, until the process is about to end.
class StopSignals {
 public:
  /// Seconds after the first signal after which the process ends with exit code
  /// ExitCode::stopped, whatever it is doing.
  static constexpr int patience_seconds = 20;
  /// The same signal again within this time counts once: timeout(1) sends it to the
  /// process and to its group, and launchers pass on what the ranks got as well.
  static constexpr std::chrono::milliseconds repeat_time{200};

  /// Blocks the signals in this thread and in those that it starts later, and waits for
  /// them in a thread of its own. Before StarPU and MPI start.
  explicit StopSignals(SecondSignal second = SecondSignal::kills);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  std::stop_token token() const { return stop_.get_token(); }
  /// The first signal; 0: none has come.
  int signal() const { return signal_; }
  /// Sets what is called, in another thread, before the process ends as it has not
  /// stopped in time.
  void set_last_words(std::function<void()> last_words);
  /// From now on nothing ends the process but a second signal: the run has stopped.
  void disarm() { armed_ = false; }
  /// From now on signals have no effect, nor has the time since the first one.
  void stop_listening();

 private:
  void wait();
  [[noreturn]] void end_as_stopped();

  const SecondSignal second_;
  std::mutex mutex_;
  std::function<void()> last_words_;  ///< under mutex_; empty: none
  std::vector<int> signals_;
  std::stop_source stop_;
  std::atomic<int> signal_ = 0;
  std::atomic<bool> armed_ = true;
  int signal_file_ = -1;
  int end_file_ = -1;
  std::thread thread_;
};

}  // namespace starhist::driver
