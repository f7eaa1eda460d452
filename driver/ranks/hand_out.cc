#include "driver/ranks/hand_out.hh"

#include <algorithm>
#include <utility>

namespace starhist::driver {

HandOut::HandOut(UnitCutter cutter, RankWeights weights, std::uint64_t window)
    : cutter_(std::move(cutter)),
      weights_(std::move(weights)),
      window_(window),
      in_hand_(weights_.size(), 0) {}

const std::optional<WorkUnit>& HandOut::peek() {
  if (!next_ && !stopped_) {
    next_ = cutter_.next();
    stopped_ = !next_;
  }
  return next_;
}

/// One for each GPU at the end, or some would have nothing to do.
std::uint64_t HandOut::most_for(std::uint32_t rank) const {
  const std::uint64_t weight = weights_[rank];
  return std::clamp(cutter_.most_left() * weight / sum(weights_), weight,
                    most_in_hand(weight));
}

std::optional<WorkUnit> HandOut::next(std::uint32_t rank, std::uint64_t missing) {
  if (is_empty() || in_hand_[rank] >= most_for(rank) ||
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
