#pragma once

#include <condition_variable>
#include <mutex>

namespace starhist::tasks {

/// Lets the submitting thread sleep until something that it waits for has changed.
class CompletionMonitor {
 public:
  /// Applies `change` and wakes the waiting thread. Called from StarPU's threads.
  template <class Change>
  void update(Change change) {
    const std::lock_guard lock(mutex_);
    change();
    condition_.notify_all();  // still locked: the waiting thread may destroy this
  }

  /// Sleeps until `ready` holds; it is only evaluated while no update is under way.
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
