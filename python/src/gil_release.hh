#pragma once

#include <chrono>
#include <optional>
#include <thread>

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
  static void wait_for_calls() {
    ending_ = true;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (calls_ > 0 && std::chrono::steady_clock::now() < end) {
      const nanobind::gil_scoped_release released;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

 private:
  // Both are used only with the lock.
  inline static int calls_ = 0;  ///< objects of all threads
  inline static bool ending_ = false;
  std::optional<nanobind::gil_scoped_release> released_;
};

}  // namespace starhist::python
