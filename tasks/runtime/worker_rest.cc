#include "tasks/runtime/worker_rest.hh"

#include <starpu.h>

namespace starhist::tasks {

WorkerRest::WorkerRest(std::chrono::milliseconds delay)
    : delay_(delay), thread_([this] { watch(); }) {}

WorkerRest::~WorkerRest() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    if (paused_) {
      starpu_resume();
      paused_ = false;
    }
  }
  changed_.notify_all();
  thread_.join();
}

void WorkerRest::begin() {
  const std::lock_guard lock(mutex_);
  ++uses_;
  ++active_;
  if (paused_) {
    starpu_resume();
    paused_ = false;
    changed_.notify_all();
  }
}

void WorkerRest::end() {
  const std::lock_guard lock(mutex_);
  --active_;
}

void WorkerRest::pause_unless_used_since(std::uint64_t use,
                                         std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  starpu_task_wait_for_all();
  lock.lock();
  if (active_ == 0 && uses_ == use && !paused_ && !ended_) {
    starpu_pause();
    paused_ = true;
  }
}

void WorkerRest::rest_now() {
  std::unique_lock lock(mutex_);
  if (active_ == 0) {
    pause_unless_used_since(uses_, lock);
  }
}

bool WorkerRest::resting() const {
  const std::lock_guard lock(mutex_);
  return paused_;
}

void WorkerRest::watch() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    if (paused_) {
      changed_.wait(lock, [this] { return !paused_ || ended_; });
      continue;
    }
    const std::uint64_t use = uses_;
    changed_.wait_for(lock, delay_, [this] { return ended_; });
    if (!ended_ && active_ == 0 && uses_ == use) {
      pause_unless_used_since(use, lock);
    }
  }
}

}  // namespace starhist::tasks
