#pragma once

#include <optional>

#include <nanobind/nanobind.h>

namespace starhist::python {

/// Releases the interpreter lock during its life. Python ends a daemon thread that asks
/// for the lock while the process ends, and C++ does not survive that: wait_for_calls()
/// lets all calls end before.
class GilRelease {
 public:
  GilRelease() {
    ++calls_;
    if (!ending_) {
      released_.emplace();
    }
  }
  ~GilRelease() {
    released_.reset();
    --calls_;
  }
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;

  /// Waits, for 10 s at most, until no other thread is in a call that has released the
  /// lock. Later calls keep the lock.
  static void wait_for_calls();

 private:
  // Both are used only with the lock.
  static int calls_;  ///< objects of all threads
  static bool ending_;
  std::optional<nanobind::gil_scoped_release> released_;
};

}  // namespace starhist::python
