#include "driver/ranks/hand_out.hh"

#include <algorithm>
#include <utility>

namespace starhist::driver {

std::vector<std::uint64_t> most_in_hand(const RankedFrames& frames,
                                        const RankWeights& weights) {
  constexpr double seconds_ahead = 1.0;
  constexpr std::uint64_t least_ahead = 2;
  constexpr std::uint64_t blocks = 2;  // one being counted and the next
  if (frames.smallest == SmallestUnit::block) {
    return std::vector<std::uint64_t>(weights.size(), blocks);
  }
  const double unit_seconds =
      static_cast<double>(most_frames_per_unit(frames, weights)) *
      frames.seconds_per_frame;
  std::vector<std::uint64_t> most;
  for (const std::uint64_t weight : weights) {
    const bool long_units =
        static_cast<double>(least_ahead * weight) * unit_seconds > seconds_ahead;
    most.push_back(1 + (long_units
                            ? std::max(least_ahead, static_cast<std::uint64_t>(
                                                        seconds_ahead / unit_seconds))
                            : least_ahead * weight));
  }
  return most;
}

HandOut::HandOut(UnitCutter cutter, RankWeights weights,
                 std::vector<std::uint64_t> most_in_hand, std::uint64_t window)
    : cutter_(std::move(cutter)),
      weights_(std::move(weights)),
      most_in_hand_(std::move(most_in_hand)),
      window_(window),
      in_hand_(weights_.size(), 0) {}

const std::optional<WorkUnit>& HandOut::peek() {
  if (!next_ && !stopped_) {
    next_ = cutter_.next();
    stopped_ = !next_;
  }
  return next_;
}

/// At the end one for each GPU, or some would idle.
std::uint64_t HandOut::most_for(std::uint32_t rank) const {
  const std::uint64_t weight = weights_[rank];
  const std::uint64_t most = most_in_hand_[rank];
  return std::clamp(cutter_.most_left() * weight / sum(weights_),
                    std::min(weight, most), most);
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
