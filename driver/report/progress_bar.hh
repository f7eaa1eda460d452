#pragma once

#include <cstdint>
#include <string>

#include "driver/run/run_hooks.hh"

namespace starhist::driver {

/// One line of progress: share done, pairs per second, time left.
std::string progress_line(std::uint64_t done, std::uint64_t total, double seconds);

/// A progress line on standard error, wiped at the end of its scope.
class ProgressBar {
 public:
  ProgressBar() = default;
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Whether standard error is a terminal; else there should be no bar.
  static bool has_terminal();

  /// Draws the line anew. Called by one thread at a time.
  void draw(const RunProgress& progress);

 private:
  bool drawn_ = false;
};

}  // namespace starhist::driver
