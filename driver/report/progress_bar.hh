#pragma once

#include <cstdint>
#include <string>

#include "driver/run/run_hooks.hh"

namespace starhist::driver {

/// One line of progress: share done, pairs per second, time left. `done` and `total`
/// are numbers of pairs (total 0: unknown), `seconds` the time elapsed. The line has
/// fewer characters than `columns`, because a terminal would wrap after the last
/// column: first the bar shrinks, then speed, bar and time are omitted. The number of
/// `ranks`, if there are several, is omitted with the speed.
std::string progress_line(std::uint64_t done, std::uint64_t total, double seconds,
                          std::size_t columns, std::uint32_t ranks = 1);

/// A progress line on standard error, cleared by the destructor.
class ProgressBar {
 public:
  ProgressBar() = default;
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// True if standard error is a terminal; draw() is only meant for terminals.
  static bool has_terminal();

  /// Redraws the line for the current width of the terminal. One thread at a time.
  void draw(const RunProgress& progress);

 private:
  bool drawn_ = false;
};

}  // namespace starhist::driver
