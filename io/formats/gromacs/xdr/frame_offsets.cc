#include "io/formats/gromacs/xdr/frame_offsets.hh"

#include <algorithm>
#include <cmath>

#include "codelets/core/base/text.hh"

namespace starhist::io {

void StepTimes::add(std::int64_t step, double time) {
  const auto stored = static_cast<float>(time);
  if (step == 0 && time == 0.0) {
    return;  // the times allow any time step
  }
  if (step <= 0 || !(time > 0.0) || !std::isfinite(stored)) {
    consistent_ = false;
    return;
  }
  constexpr float infinite = std::numeric_limits<float>::infinity();
  const double half = (std::nextafter(stored, infinite) - stored) / 2.0;
  const auto steps = static_cast<double>(step);
  low_ = std::max(low_, (time - half) / steps);
  high_ = std::min(high_, (time + half) / steps);
}

void StepTimes::find_time_step() {
  // More digits would fit the rounding error of a single time.
  constexpr int most_digits = 6;
  if (!consistent_ || low_ == 0.0 || low_ > high_) {
    return;
  }
  const double middle = low_ + (high_ - low_) / 2.0;
  const int first_digit = static_cast<int>(std::floor(std::log10(middle)));
  for (int digits = 1; digits <= most_digits; ++digits) {
    const int decimals = digits - 1 - first_digit;
    TimeStep step;
    if (decimals >= 0) {
      step.denominator = std::pow(10.0, decimals);
      step.numerator = std::round(middle * step.denominator);
    } else {
      const double unit = std::pow(10.0, -decimals);
      step.numerator = std::round(middle / unit) * unit;
    }
    const double value = step.numerator / step.denominator;
    if (value >= low_ && value <= high_) {
      time_step_ = step;
      return;
    }
  }
}

double StepTimes::time(std::int64_t step, double stored) const {
  if (time_step_) {
    return static_cast<double>(step) * time_step_->numerator / time_step_->denominator;
  }
  return shortest_decimal(static_cast<float>(stored));
}

StepAndTime FrameOffsets::moment(std::uint64_t frame) const {
  const Place& place = frames[frame];
  const auto [step, time] = place.moment;
  return {step, place.has_double ? time : times.time(step, time)};
}

std::vector<std::string> FrameOffsets::truncation_sentences(
    const std::string& path) const {
  return damage.empty()
             ? std::vector<std::string>()
             : std::vector{path + ": " + frames_before(damage, frames.size())};
}

void FrameOffsets::check_not_empty(const std::string& path) const {
  if (frames.empty()) {
    throw InputError(path + (damage.empty()
                                 ? ": its frames have velocities or forces, but "
                                   "not positions (give the XTC, or the TRR that "
                                   "has them: nstxout of the run)"
                                 : ": has no whole frame (" + damage + ")"));
  }
}

std::string frames_before(const std::string& damage, std::uint64_t frames) {
  return damage + "; " +
         (frames == 1 ? "only frame 0 is read"
                      : "frames 0 to " + std::to_string(frames - 1) + " are read") +
         " (copy the file again if it should have more)";
}

std::string truncation_damage(std::uint64_t frame, std::uint64_t file_size) {
  return "frame " + std::to_string(frame) + " is cut off at byte " +
         std::to_string(file_size) + ", where the file ends";
}

std::string broken_damage(std::uint64_t frame, std::uint64_t offset,
                          const std::string& reason) {
  return "frame " + std::to_string(frame) + " is damaged at byte " +
         std::to_string(offset) + " (" + reason + ")";
}

}  // namespace starhist::io
