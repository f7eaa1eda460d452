#include "driver/ranks/block_assembly.hh"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "codelets/core/base/contract.hh"

namespace starhist::driver {
namespace {

void add(const std::vector<std::uint64_t>& terms, std::vector<std::uint64_t>& sum) {
  STARHIST_EXPECT(terms.size() == sum.size(), "units and blocks have the same layout");
  std::transform(terms.begin(), terms.end(), sum.begin(), sum.begin(), std::plus<>());
}

/// Adds distances to `sum`, which may have no counts yet.
template <class Sum>
void add_distances(const UnitCounts& counts, Sum& sum) {
  if (counts.counts.empty()) {
    return;
  }
  add(counts.underflow, sum.underflow);
  add(counts.out_of_range, sum.out_of_range);
  for (std::size_t p = 0; p < counts.counts.size(); ++p) {
    add(counts.counts[p], sum.counts[p]);
  }
  for (std::size_t p = 0; p < counts.second.size(); ++p) {
    add(counts.second[p], sum.second[p]);
  }
}

}  // namespace

BlockAssembly::BlockAssembly(const HistogramLayout& layout,
                             std::uint32_t frames_per_block, std::uint64_t first,
                             std::uint64_t end, const std::optional<BlockCounts>& begun,
                             Sink sink)
    : layout_(layout),
      frames_per_block_(frames_per_block),
      end_(end),
      sink_(std::move(sink)),
      next_frame_(first),
      block_(first / frames_per_block),
      sum_(begun ? *begun : empty_block(layout, BlockIndex(block_))) {}

BlockAssembly::BlockAssembly(std::uint64_t first, std::uint64_t end, UnitSink sink)
    : frames_per_block_(1),
      end_(end),
      unit_sink_(std::move(sink)),
      next_frame_(first),
      block_(0) {}

void BlockAssembly::add(UnitCounts&& counts) {
  STARHIST_EXPECT(counts.unit.number >= next_unit_, "each unit is added once");
  STARHIST_EXPECT(counts.end <= counts.unit.end, "a unit ends where it was cut");
  waiting_.emplace(counts.unit.number, std::move(counts));
  while (!cut_short_ && !waiting_.empty() && waiting_.begin()->first == next_unit_) {
    UnitCounts next = std::move(waiting_.extract(waiting_.begin()).mapped());
    ++next_unit_;
    add_next(std::move(next));
  }
}

void BlockAssembly::add_next(UnitCounts&& counts) {
  if (unit_sink_) {
    cut_short_ = counts.end != counts.unit.end;
    if (!cut_short_) {
      left_out_.insert(left_out_.end(), counts.left_out.begin(), counts.left_out.end());
      next_frame_ = counts.end;
    }
    if (!cut_short_ && !counts.block.empty()) {
      unit_sink_(std::move(counts));
    }
    return;
  }
  if (!counts.unit.rows.all()) {
    if (counts.end != counts.unit.end) {
      cut_short_ = true;
      return;
    }
    if (counts.unit.rows.number == 0) {
      parts_ = counts;
    } else {
      STARHIST_EXPECT(parts_.has_value(), "the first part of a frame is added first");
      add_distances(counts, *parts_);
    }
    if (counts.unit.rows.number + 1 < counts.unit.rows.count) {
      return;
    }
  }
  const UnitCounts whole = parts_ ? *std::exchange(parts_, {}) : UnitCounts();
  const UnitCounts& unit = counts.unit.rows.all() ? counts : whole;
  for (const FrameFacts& frame : unit.frames) {
    add_frame(layout_.region, frame, sum_);
    pairs_ += std::accumulate(frame.pairs.begin(), frame.pairs.end(), std::uint64_t{0});
  }
  add_distances(unit, sum_);
  left_out_.insert(left_out_.end(), unit.left_out.begin(), unit.left_out.end());
  next_frame_ = unit.end;
  cut_short_ = unit.end != unit.unit.end;  // no unit can follow
  if (next_frame_ == end_ || next_frame_ / frames_per_block_ != block_) {
    end_block();
  }
}

void BlockAssembly::end_block() {
  block_ = next_frame_ / frames_per_block_;
  BlockCounts block = std::exchange(sum_, empty_block(layout_, BlockIndex(block_)));
  if (block.frames > 0) {
    check_conservation(block);
    sink_(std::move(block));
  }
}

const BlockCounts* BlockAssembly::open_block() const {
  return sum_.frames > 0 ? &sum_ : nullptr;
}

}  // namespace starhist::driver
