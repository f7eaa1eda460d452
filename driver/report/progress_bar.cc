#include "driver/report/progress_bar.hh"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <unistd.h>

namespace starhist::driver {
namespace {

std::string clock_text(double seconds) {
  const auto whole = static_cast<long>(std::min(std::round(seconds), 3.6e6));
  char text[32];
  if (whole >= 3600) {
    std::snprintf(text, sizeof(text), "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60,
                  whole % 60);
  } else {
    std::snprintf(text, sizeof(text), "%ld:%02ld", whole / 60, whole % 60);
  }
  return text;
}

}  // namespace

std::string progress_line(std::uint64_t done, std::uint64_t total, double seconds) {
  constexpr int width = 30;
  const double share =
      total == 0
          ? 0.0
          : std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const auto filled = static_cast<std::size_t>(share * width);
  const double rate = seconds > 0.0 ? static_cast<double>(done) / seconds : 0.0;
  const std::string left =
      share > 0.0 ? clock_text(seconds * (1.0 - share) / share) : "-:--";
  char numbers[96];
  std::snprintf(numbers, sizeof(numbers), "%5.1f %%  %.2e pairs/s  %s left",
                100.0 * share, rate, left.c_str());
  return "[" + std::string(filled, '#') + std::string(width - filled, '.') + "] " +
         numbers;
}

ProgressBar::~ProgressBar() {
  if (drawn_) {
    std::fputs("\r\033[K", stderr);  // to the start of the line, clear it
  }
}

bool ProgressBar::has_terminal() {
  return isatty(STDERR_FILENO) != 0;
}

void ProgressBar::draw(const RunProgress& progress) {
  drawn_ = true;
  const std::string line =
      progress_line(progress.pairs, progress.expected_pairs, progress.seconds);
  std::fprintf(stderr, "\r%s\033[K", line.c_str());
  std::fflush(stderr);
}

}  // namespace starhist::driver
