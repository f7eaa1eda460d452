#include "driver/run/lagged_frames.hh"

#include <algorithm>
#include <utility>

#include "driver/run/run_checks.hh"

namespace starhist::driver {

void LaggedFrames::read_lead(const std::stop_token& stop) {
  while (frames_.passed() < lead_ && !stop.stop_requested()) {
    const std::uint64_t before = frames_.passed();
    std::optional<Frame> frame = frames_.next();
    const std::uint64_t left_out = frames_.passed() - before - (frame ? 1 : 0);
    skipped_of_lead_ += std::min(left_out, lead_ - before);
    if (!frame) {
      return;
    }
    if (frames_.passed() > lead_) {
      first_ = std::move(frame);
    } else {
      window_.lead_in(*std::move(frame), frames_.passed() - 1);
    }
  }
}

std::optional<Frame> LaggedFrames::next() {
  std::optional<Frame> frame = first_ ? std::exchange(first_, {}) : frames_.next();
  if (frame) {
    frame = window_.add(*std::move(frame), frames_.passed() - 1);
    check_digits(sets_, *frame);  // earlier positions in this frame's box
  }
  return frame;
}

std::uint64_t LaggedFrames::passed() const {
  return frames_.passed() - std::min(frames_.passed(), lead_);
}

std::vector<std::string> LaggedFrames::skipped() const {
  std::vector<std::string> all = frames_.skipped();
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(
                                           std::min(skipped_of_lead_, all.size())));
  return all;
}

}  // namespace starhist::driver
