#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace starhist::driver {

/// One line of progress: share done, pairs per second, time left.
std::string progress_line(std::uint64_t done, std::uint64_t total, double seconds);

/// Redraws a progress line on standard error several times a second, from a thread of
/// its own, and wipes it at the end. Does nothing unless standard error is a terminal.
class ProgressBar {
 public:
  /// `done` is called from the thread and tells the pairs counted so far.
  explicit ProgressBar(std::function<std::uint64_t()> done);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void set_total(std::uint64_t pairs);

 private:
  void draw_until_stopped();

  std::function<std::uint64_t()> done_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopped_ = false;
  std::uint64_t total_ = 0;
  std::thread thread_;
};

}  // namespace starhist::driver
