#pragma once

#include <condition_variable>
#include <mutex>

namespace starhist::tasks {

/// Lets one thread sleep until something that StarPU's threads change has come about.
/// What is changed within update() alone needs no other lock.
class CompletionMonitor {
 public:
  /// Calls change() and wakes the waiting thread. From any thread.
  template <class Change>
  void update(Change change) {
    const std::lock_guard lock(mutex_);
    change();
    condition_.notify_all();  // still locked: the waiting thread may destroy this
  }

  /// Returns as soon as ready() is true. It is called while no update is under way.
  template <class Ready>
  void wait_until(Ready ready) {
    std::unique_lock lock(mutex_);
    condition_.wait(lock, ready);
  }

 private:
  std::mutex mutex_;
  std::condition_variable condition_;
};

}  // namespace starhist::tasks
