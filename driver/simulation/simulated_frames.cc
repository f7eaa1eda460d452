#include "driver/simulation/simulated_frames.hh"

#include <algorithm>
#include <utility>

#include "tasks/runtime/simulation.hh"

namespace starhist::driver {

SimulatedFrames::SimulatedFrames(const Frame& frame, std::uint64_t count,
                                 FrameSeconds seconds, std::uint64_t ahead)
    : frame_(frame),
      count_(count),
      seconds_(seconds),
      ahead_(ahead),
      read_(tasks::seconds_now()) {}

/// A reader starts a frame after it has read the previous one, and when there is room.
void SimulatedFrames::wait_for_reader() {
  double begin = read_;
  if (taken_.size() == ahead_) {
    begin = std::max(begin, taken_.front());
    taken_.pop_front();
  }
  read_ = begin + seconds_.read;
  const double wait = read_ - tasks::seconds_now();
  if (wait > 0.0) {
    tasks::sleep_for_seconds(wait);
  }
  taken_.push_back(tasks::seconds_now());
}

std::optional<Frame> SimulatedFrames::next() {
  if (passed_ == count_) {
    return std::nullopt;
  }
  if (seconds_.read > 0.0) {
    wait_for_reader();
  }
  const double busy = seconds_.accept + (passed_ == 0 ? seconds_.start : 0.0);
  if (busy > 0.0) {
    tasks::sleep_for_seconds(busy);
  }
  Frame frame;
  if (!used_.empty()) {
    frame = std::move(used_.back());
    used_.pop_back();
  } else {
    frame = frame_;
  }
  frame.index = FrameIndex(passed_);
  ++passed_;
  return frame;
}

void SimulatedFrames::recycle(Frame&& frame) {
  used_.push_back(std::move(frame));
}

}  // namespace starhist::driver
