#pragma once

#include <starpu.h>

namespace starhist::tasks {

/// Lets one thread sleep until something that StarPU's threads change has come about.
/// What is changed within update() alone needs no other lock. The lock is StarPU's own,
/// as one of the standard library would stop the clock of simulated workers.
class CompletionMonitor {
 public:
  CompletionMonitor() {
    starpu_pthread_mutex_init(&mutex_, nullptr);
    starpu_pthread_cond_init(&condition_, nullptr);
  }
  ~CompletionMonitor() {
    starpu_pthread_cond_destroy(&condition_);
    starpu_pthread_mutex_destroy(&mutex_);
  }
  CompletionMonitor(const CompletionMonitor&) = delete;
  CompletionMonitor& operator=(const CompletionMonitor&) = delete;

  /// Calls change() and wakes the waiting thread. From any thread.
  template <class Change>
  void update(Change change) {
    const Lock lock(mutex_);
    change();
    // Still locked: the waiting thread may destroy this.
    starpu_pthread_cond_broadcast(&condition_);
  }

  /// Returns as soon as ready() is true. It is called while no update is under way.
  template <class Ready>
  void wait_until(Ready ready) {
    const Lock lock(mutex_);
    while (!ready()) {
      starpu_pthread_cond_wait(&condition_, &mutex_);
    }
  }

 private:
  class Lock {
   public:
    explicit Lock(starpu_pthread_mutex_t& mutex) : mutex_(mutex) {
      starpu_pthread_mutex_lock(&mutex_);
    }
    ~Lock() { starpu_pthread_mutex_unlock(&mutex_); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    starpu_pthread_mutex_t& mutex_;
  };

  starpu_pthread_mutex_t mutex_;
  starpu_pthread_cond_t condition_;
};

}  // namespace starhist::tasks
