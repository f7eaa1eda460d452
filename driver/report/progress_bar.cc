#include "driver/report/progress_bar.hh"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <unistd.h>

#include "io/files/terminal_width.hh"

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

constexpr std::size_t longest_bar = 30;
constexpr std::size_t shortest_bar = 8;
constexpr std::size_t around_bar = 3;  ///< "[", "] "

std::string formatted(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

std::string bar(double share, std::size_t width) {
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(width));
  return "[" + std::string(filled, '#') + std::string(width - filled, '.') + "] ";
}

}  // namespace

std::string progress_line(std::uint64_t done, std::uint64_t total, double seconds,
                          std::size_t columns, std::uint32_t ranks) {
  const double share =
      total == 0
          ? 0.0
          : std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const double rate = seconds > 0.0 ? static_cast<double>(done) / seconds : 0.0;
  const std::string left =
      share > 0.0 ? clock_text(seconds * (1.0 - share) / share) : "-:--";
  const std::string percent = formatted("%5.1f %%", 100.0 * share);
  const std::string time = percent + "  " + left + " left";
  const std::string speed =
      percent + "  " + formatted("%.2e pairs/s", rate) +
      (ranks > 1 ? " on " + std::to_string(ranks) + " ranks" : "") + "  " + left +
      " left";
  for (const std::string& numbers : {speed, time}) {
    if (numbers.size() + around_bar + shortest_bar < columns) {
      return bar(share,
                 std::min(longest_bar, columns - numbers.size() - around_bar - 1)) +
             numbers;
    }
  }
  for (const std::string& numbers : {time, percent}) {
    if (numbers.size() < columns) {
      return numbers;
    }
  }
  return "";
}

ProgressBar::~ProgressBar() {
  if (drawn_) {
    std::fputs("\r\033[K", stderr);  // return to the start of the line and clear it
  }
}

bool ProgressBar::has_terminal() {
  return isatty(STDERR_FILENO) != 0;
}

void ProgressBar::draw(const RunProgress& progress) {
  drawn_ = true;
  constexpr unsigned usual_columns = 80;
  const std::string line = progress_line(
      progress.pairs, progress.expected_pairs, progress.seconds,
      io::terminal_columns(STDERR_FILENO).value_or(usual_columns), progress.ranks);
  std::fprintf(stderr, "\r%s\033[K", line.c_str());
  std::fflush(stderr);
}

}  // namespace starhist::driver
