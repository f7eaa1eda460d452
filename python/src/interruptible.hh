#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "python/src/gil_release.hh"
#include <nanobind/nanobind.h>

namespace starhist::python {

/// Runs `work` in a new thread with the interpreter lock released. If a Python signal
/// handler raises an exception meanwhile (as for Ctrl-C), calls `interrupt`, which
/// makes `work` end soon, and throws that exception. `work` must not throw or use
/// Python.
inline void run_interruptibly(const std::function<void()>& work,
                              const std::function<void()>& interrupt) {
  constexpr std::chrono::milliseconds between_looks{50};
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::thread worker([&] {
    work();
    const std::lock_guard lock(mutex);
    done = true;
    changed.notify_one();
  });
  const auto wait = [&](auto&& how) {
    const GilRelease released;
    std::unique_lock lock(mutex);
    return how(lock);
  };
  const auto ended = [&] { return done; };
  bool raised = false;
  while (!raised && !wait([&](auto& lock) {
    return changed.wait_for(lock, between_looks, ended);
  })) {
    raised = PyErr_CheckSignals() != 0;
  }
  if (raised) {
    interrupt();
  }
  {
    const GilRelease released;
    worker.join();
  }
  if (raised) {
    throw nanobind::python_error();
  }
}

}  // namespace starhist::python
