#include "driver/ranks/unit_cutter.hh"

#include <algorithm>

#include "codelets/core/base/divide_up.hh"

namespace starhist::driver {
namespace {

/// Of each rank, if all are equally fast. A rank four times slower holds three units of
/// a 64th of the others' work each at the end, at worst.
constexpr std::uint64_t units_per_rank = 64;
/// Of each rank, where the rows of frames are divided. GPUs make clusters of all
/// particles for each of them, which with 16 took an eighth of the time of 4e6
/// particles on eight ranks.
constexpr std::uint64_t parts_per_rank = 8;
/// A unit has at most such a part of the frames that are left, per rank.
constexpr std::uint64_t units_that_are_left = 8;

}  // namespace

std::uint64_t most_frames_per_unit(const RankedFrames& frames, std::uint32_t ranks) {
  const std::uint64_t count = frames.end - frames.begin;
  return std::clamp<std::uint64_t>(count / (units_per_rank * ranks), 1,
                                   frames.frames_per_block);
}

std::uint32_t row_parts(const RankedFrames& frames, std::uint32_t ranks) {
  const std::uint64_t count = frames.end - frames.begin;
  if (ranks == 1 || count == 0 || count >= parts_per_rank * ranks) {
    return 1;
  }
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(frames.pairs_per_frame / least_pairs_of_a_row_part, 1,
                                divide_up(parts_per_rank * ranks, count)));
}

UnitCutter::UnitCutter(const RankedFrames& frames, std::uint32_t ranks)
    : frames_(frames),
      ranks_(ranks),
      most_frames_(most_frames_per_unit(frames, ranks)),
      parts_(row_parts(frames, ranks)),
      next_frame_(frames.begin) {}

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
  const std::uint64_t left = frames_.end - next_frame_;
  const std::uint64_t most =
      std::clamp<std::uint64_t>(left / (units_that_are_left * ranks_), 1, most_frames_);
  // Units of a block are equally long: GPUs count short ones less efficiently.
  const std::uint64_t of_block = std::min(block_end, frames_.end) - next_frame_;
  unit.end = next_frame_ + divide_up(of_block, divide_up(of_block, most));
  next_frame_ = unit.end;
  return unit;
}

}  // namespace starhist::driver
