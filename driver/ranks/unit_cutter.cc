#include "driver/ranks/unit_cutter.hh"

#include <algorithm>
#include <utility>

#include "codelets/core/base/divide_up.hh"

namespace starhist::driver {
namespace {

/// Smallest number of units per rank, if all are equally fast and batches are not
/// larger. A rank without GPUs that is four times slower holds, at worst, three units
/// of a 64th of the others' work each at the end.
constexpr std::uint64_t units_per_rank = 64;

// The following constants are per GPU, or per rank without a GPU.

/// Number of parts into which rows are divided. For each part GPUs build clusters of
/// all particles, which takes a tenth of the time for 4e6 particles on eight ranks.
constexpr std::uint64_t parts_per_gpu = 6;
/// A unit has at most this fraction of the remaining frames, or a batch.
constexpr std::uint64_t units_that_are_left = 8;
/// A unit has less than a batch if fewer batches than this are left.
constexpr std::uint64_t batches_that_are_left = 2;

/// Length of each unit [frames, >= 1] if `frames` frames are cut into the fewest
/// equally long units of at most `most` frames. GPUs count short ones less efficiently.
std::uint64_t equal_part(std::uint64_t frames, std::uint64_t most) {
  return divide_up(frames, divide_up(frames, most));
}

/// Maximum number of frames of the first units [>= 1].
std::uint64_t frames_of_first_units(const RankedFrames& frames, std::uint64_t ranks) {
  const std::uint64_t count = frames.end - frames.begin;
  return equal_part(frames.frames_per_block,
                    std::clamp<std::uint64_t>(count / (units_per_rank * ranks), 1,
                                              frames.frames_per_block));
}

}  // namespace

std::uint64_t most_frames_per_unit(const RankedFrames& frames,
                                   const RankWeights& weights) {
  if (frames.smallest == SmallestUnit::block) {
    return std::clamp<std::uint64_t>(frames.end - frames.begin, 1,
                                     frames.frames_per_block);
  }
  const std::uint64_t batch =
      std::min<std::uint64_t>(frames.frames_per_batch, frames.frames_per_block);
  return std::max(frames_of_first_units(frames, weights.size()),
                  equal_part(frames.frames_per_block, batch));
}

std::uint32_t row_parts(const RankedFrames& frames, const RankWeights& weights) {
  const std::uint64_t count = frames.end - frames.begin;
  const std::uint64_t parts = parts_per_gpu * sum(weights);
  if (weights.size() == 1 || count == 0 || count >= parts ||
      frames.smallest != SmallestUnit::rows) {
    return 1;
  }
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
      frames.pairs_per_frame / least_pairs_of_a_row_part, 1, divide_up(parts, count)));
}

std::optional<WorkUnit> first_unit(const RankedFrames& frames, std::uint32_t ranks,
                                   std::uint32_t rank) {
  RankedFrames single = frames;
  single.frames_per_batch = 1;
  UnitCutter cutter(single, RankWeights(ranks, 1));
  std::optional<WorkUnit> unit = cutter.next();
  for (std::uint32_t r = 0; r < rank; ++r) {
    unit = cutter.next();
  }
  return unit;
}

UnitCutter::UnitCutter(const RankedFrames& frames, const RankWeights& weights)
    : frames_(frames),
      ranks_(weights.size()),
      weights_(sum(weights)),
      first_units_(frames_of_first_units(frames, ranks_)),
      most_frames_(most_frames_per_unit(frames, weights)),
      parts_(row_parts(frames, weights)),
      next_frame_(frames.begin) {}

std::uint64_t UnitCutter::most_left() const {
  if (frames_.smallest == SmallestUnit::block) {
    return divide_up(frames_.end, frames_.frames_per_block) -
           next_frame_ / frames_.frames_per_block;
  }
  return (frames_.end - next_frame_) * parts_ - next_part_;
}

std::optional<WorkUnit> UnitCutter::next() {
  if (next_frame_ >= frames_.end) {
    return std::nullopt;
  }
  WorkUnit unit;
  unit.number = units_++;
  unit.begin = next_frame_;
  if (parts_ > 1) {
    unit.end = next_frame_ + 1;
    unit.rows = {next_part_, parts_};
    next_part_ = (next_part_ + 1) % parts_;
    next_frame_ += next_part_ == 0 ? 1 : 0;
    return unit;
  }
  const std::uint64_t block_end =
      (next_frame_ / frames_.frames_per_block + 1) * frames_.frames_per_block;
  const std::uint64_t unit_end = std::min(block_end, frames_.end);
  const std::uint64_t left = frames_.end - next_frame_;
  const std::uint64_t batch =
      std::min(frames_.frames_per_batch, left / (batches_that_are_left * weights_));
  const std::uint64_t most =
      frames_.smallest == SmallestUnit::block ? unit_end - next_frame_
      : unit.number < ranks_
          ? first_units_
          : std::clamp<std::uint64_t>(
                std::max(left / (units_that_are_left * weights_), batch), 1,
                most_frames_);
  unit.end = next_frame_ + equal_part(unit_end - next_frame_, most);
  next_frame_ = unit.end;
  return unit;
}

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
