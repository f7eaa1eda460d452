#include "driver/ranks/hand_out.hh"

#include <algorithm>
#include <utility>

namespace starhist::driver {

HandOut::HandOut(UnitCutter cutter, std::uint32_t ranks, std::uint64_t window)
    : cutter_(std::move(cutter)), window_(window), in_hand_(ranks, 0) {}

const std::optional<WorkUnit>& HandOut::peek() {
  if (!next_ && !stopped_) {
    next_ = cutter_.next();
    stopped_ = !next_;
  }
  return next_;
}

std::uint64_t HandOut::most_for_a_rank() const {
  return std::clamp<std::uint64_t>(cutter_.most_left() / in_hand_.size(), 1,
                                   most_in_hand);
}

std::optional<WorkUnit> HandOut::next(std::uint32_t rank, std::uint64_t missing) {
  if (is_empty() || in_hand_[rank] >= most_for_a_rank() ||
      peek()->number >= missing + window_) {
    return std::nullopt;
  }
  ++in_hand_[rank];
  return std::exchange(next_, std::nullopt);
}

bool HandOut::is_empty() {
  return stopped_ || !peek();
}

}  // namespace starhist::driver
