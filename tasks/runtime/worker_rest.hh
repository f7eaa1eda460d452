#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace starhist::tasks {

/// Puts StarPU's workers to sleep while the program does other work: idle workers poll,
/// and occupy all their cores.
///
/// Some time after the last use, when all tasks have ended, the workers are paused
/// (starpu_pause). The next use wakes them. All functions may be called from any
/// thread.
class WorkerRest {
 public:
  /// StarPU must run, and only users of this object may submit tasks. `delay`: time
  /// between the last use and the pause.
  explicit WorkerRest(std::chrono::milliseconds delay);
  /// Wakes the workers, because StarPU cannot stop paused ones.
  ~WorkerRest();
  WorkerRest(const WorkerRest&) = delete;
  WorkerRest& operator=(const WorkerRest&) = delete;

  /// Keeps the workers awake during its lifetime. Needed to submit tasks or wait for
  /// them.
  class Use {
   public:
    explicit Use(WorkerRest& rest) : rest_(rest) { rest_.begin(); }
    ~Use() { rest_.end(); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    WorkerRest& rest_;
  };

  /// Waits for all tasks and pauses the workers immediately, unless another thread uses
  /// them.
  void rest_now();
  /// True if workers are paused.
  bool resting() const;

 private:
  void begin();
  void end();
  void watch();
  void pause_unless_used_since(std::uint64_t use, std::unique_lock<std::mutex>& lock);

  const std::chrono::milliseconds delay_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;  ///< wakes watch()
  std::uint64_t uses_ = 0;           ///< number of uses that have started
  std::uint64_t active_ = 0;         ///< number of uses that have not ended
  bool paused_ = false;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace starhist::tasks
