#pragma once

#include <memory>

namespace starhist::tasks {

/// Lets one thread sleep until StarPU's threads have fulfilled a condition. Data that
/// only changes within update() needs no other lock. The lock is StarPU's, because a
/// lock of the standard library would stop the clock of simulated workers.
class CompletionMonitor {
 public:
  /// Throws InternalError if the system is out of locks.
  CompletionMonitor();
  ~CompletionMonitor();
  CompletionMonitor(const CompletionMonitor&) = delete;
  CompletionMonitor& operator=(const CompletionMonitor&) = delete;

  /// Calls change() and wakes the waiting thread. From any thread.
  template <class Change>
  void update(Change change) {
    const Lock lock(*this);
    change();
    wake();  // still locked: the waiting thread may destroy this
  }

  /// Returns as soon as ready() is true. ready() is never called during an update.
  template <class Ready>
  void wait_until(Ready ready) {
    const Lock lock(*this);
    while (!ready()) {
      sleep();
    }
  }

 private:
  struct State;
  class Lock {
   public:
    explicit Lock(CompletionMonitor& monitor) : monitor_(monitor) { monitor_.lock(); }
    ~Lock() { monitor_.unlock(); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    CompletionMonitor& monitor_;
  };

  void lock();
  void unlock();
  void wake();
  void sleep();

  std::unique_ptr<State> state_;
};

}  // namespace starhist::tasks
