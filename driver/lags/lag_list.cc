#include "driver/lags/lag_list.hh"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"

namespace starhist::driver {
namespace {

constexpr std::size_t most_lags = 10'000;

/// Empty unless the whole text is a finite number >= 0.
std::optional<double> number_in(const std::string& text) {
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool valid =
      error == std::errc() && stop == end && std::isfinite(value) && value >= 0.0;
  return valid ? std::optional(value) : std::nullopt;
}

}  // namespace

LagList::LagList(std::string option, const std::string& text)
    : option_(std::move(option)), text_(option_ + " " + text) {
  const auto refuse = [this](const std::string& why) {
    throw InputError(text_ + ": " + why +
                     " (lags are a list such as 0,1,2,5, a range FIRST:LAST:STEP such "
                     "as 0:100:10, or log:N)");
  };
  const std::vector<std::string> range = split(text, ':');
  if (range.size() == 2 && range[0] == "log") {
    const std::optional<double> count = number_in(range[1]);
    if (!count || *count < 1.0 || *count != std::floor(*count) || *count > most_lags) {
      refuse("'" + range[1] + "' is not a number of lags from 1 to " +
             std::to_string(most_lags));
    }
    logarithmic_ = static_cast<std::uint64_t>(*count);
    return;
  }
  if (range.size() == 3) {
    std::vector<double> numbers;
    for (const std::string& part : range) {
      numbers.push_back(number_in(part).value_or(-1.0));
      if (numbers.back() < 0.0) {
        refuse("'" + part + "' is not a number of at least 0");
      }
    }
    if (numbers[2] <= 0.0 || numbers[1] < numbers[0]) {
      refuse("the step must be positive and the last lag not before the first");
    }
    // The last lag belongs to the range even if steps such as 0.1 are rounded.
    const double steps = std::floor((numbers[1] - numbers[0]) / numbers[2] + 1e-9);
    if (steps >= static_cast<double>(most_lags)) {
      refuse("more than " + std::to_string(most_lags) + " lags");
    }
    for (double k = 0.0; k <= steps; ++k) {
      values_.push_back(numbers[0] + k * numbers[2]);
    }
    return;
  }
  for (const std::string& part : split(text, ',')) {
    const std::optional<double> value = number_in(part);
    if (!value) {
      refuse("'" + part + "' is not a number of at least 0");
    }
    values_.push_back(*value);
  }
  if (values_.size() > most_lags) {
    refuse("more than " + std::to_string(most_lags) + " lags");
  }
}

std::vector<std::uint64_t> LagList::in_frames(std::uint64_t frame_count,
                                              std::optional<double> interval) const {
  std::vector<std::uint64_t> lags;
  if (logarithmic_ > 0) {
    const double longest =
        std::max(1.0, std::floor(0.5 * static_cast<double>(frame_count)));
    lags.push_back(0);
    for (std::uint64_t k = 0; k < logarithmic_; ++k) {
      const double share =
          logarithmic_ == 1
              ? 0.0
              : static_cast<double>(k) / static_cast<double>(logarithmic_ - 1);
      lags.push_back(
          static_cast<std::uint64_t>(std::llround(std::pow(longest, share))));
    }
  }
  for (const double value : values_) {
    const double frames = interval ? value / *interval : value;
    const double whole = std::round(frames);
    // Times are often rounded to single precision.
    if (std::abs(frames - whole) > (interval ? 1e-3 : 0.0)) {
      throw InputError(
          text_ + ": " + number_text(value) +
          (interval
               ? " is not a multiple of the time between frames, " +
                     time_text(*interval) +
                     " (give lags in frames, or multiples "
                     "of it)"
               : " is not a whole number of frames (for lags in units of time give "
                 "--lag-unit time)"));
    }
    if (whole >= static_cast<double>(frame_count)) {
      throw InputError(
          text_ + ": lag " + number_text(value) + " is beyond the trajectory (" +
          std::to_string(frame_count) +
          (frame_count == 1 ? " frame is" : " frames are") +
          " selected, so the largest lag is " +
          time_text(static_cast<double>(frame_count - 1) * interval.value_or(1.0)) +
          "): give shorter lags or select more frames");
    }
    lags.push_back(static_cast<std::uint64_t>(whole));
  }
  std::sort(lags.begin(), lags.end());
  lags.erase(std::unique(lags.begin(), lags.end()), lags.end());
  if (lags.back() >= frame_count) {  // log:N of a single frame
    lags.pop_back();
  }
  return lags;
}

}  // namespace starhist::driver
