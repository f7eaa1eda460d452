#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace starhist::tasks {

/// Puts StarPU's workers to sleep while a program does other things: between tasks they
/// poll, and take all their cores.
///
/// Some time after the last use, when all tasks have ended, the workers are paused
/// (starpu_pause). The next use wakes them. All functions may be called from any
/// thread.
class WorkerRest {
 public:
  /// StarPU runs, and nothing but users of this object submits tasks to it. `delay`:
  /// time between the last use and the pause.
  explicit WorkerRest(std::chrono::milliseconds delay);
  /// Wakes the workers, which StarPU needs to end.
  ~WorkerRest();
  WorkerRest(const WorkerRest&) = delete;
  WorkerRest& operator=(const WorkerRest&) = delete;

  /// While an object of this class lives, workers are awake. Whoever submits tasks or
  /// waits for them needs one.
  class Use {
   public:
    explicit Use(WorkerRest& rest) : rest_(rest) { rest_.begin(); }
    ~Use() { rest_.end(); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    WorkerRest& rest_;
  };

  /// Waits for all tasks and pauses the workers without delay, unless another thread
  /// uses them.
  void rest_now();
  /// Whether workers are paused.
  bool resting() const;

 private:
  void begin();
  void end();
  void watch();
  void pause_unless_used_since(std::uint64_t use, std::unique_lock<std::mutex>& lock);

  const std::chrono::milliseconds delay_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;  ///< for watch()
  std::uint64_t uses_ = 0;           ///< number of uses that have begun
  std::uint64_t active_ = 0;         ///< number of these that have not ended
  bool paused_ = false;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace starhist::tasks
