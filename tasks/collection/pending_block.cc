#include "tasks/collection/pending_block.hh"

#include <algorithm>
#include <functional>
#include <numeric>

#include "codelets/core/base/error.hh"
#include "codelets/merge_counts_codelet.hh"
#include "tasks/runtime/check.hh"

namespace starhist::tasks {

PendingBlock::PendingBlock(const HistogramLayout& layout,
                           const PairExclusions& exclusions, const BlockCounts& begun,
                           PinnedPool& memory, CompletionMonitor& monitor)
    : layout_(layout),
      exclusions_(exclusions),
      monitor_(monitor),
      counts_(begun),
      counted_(layout.pairs.size(), false) {
  const std::size_t size = layout.bins.count_from_zero() + std::size_t{1};
  memory_ = memory.take(layout.pairs.size() * size * sizeof(std::uint64_t));
  auto* const sums = memory_->data<std::uint64_t>();
  std::fill_n(sums, layout.pairs.size() * size, 0);
  memory_->pin();
  for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
    counts_.counts[p].assign(size, 0);
    counts_.underflow[p] = 0;
    counts_.out_of_range[p] = 0;
    handles_.push_back(make_vector_handle(sums + p * size, size));
    starpu_data_set_reduction_methods(handles_.back().get(),
                                      codelets::merge_counts_codelet(),
                                      codelets::zero_counts_codelet());
    collectors_.push_back({this, p});
  }
}

void PendingBlock::add_frame(const Frame& frame) {
  if (counts_.frames == 0) {
    counts_.first_frame = frame.index;
    if (frame.box.has_volume()) {
      counts_.box = frame.box;
    }
  } else if (counts_.box && *counts_.box != frame.box) {
    counts_.box.reset();
  }
  ++own_frames_;
  ++counts_.frames;
  counts_.last_frame = frame.index;
  counts_.last_step = frame.step;
  counts_.last_time = frame.time;
  counts_.inscribed_radius =
      std::min(counts_.inscribed_radius, frame.box.inscribed_radius());
  const double inverse_volume = frame.box.has_volume() ? 1.0 / frame.box.volume() : 0.0;
  counts_.volume += frame.box.volume();
  counts_.inverse_volume += inverse_volume;
  for (std::uint32_t s = 0; s < layout_.species.size(); ++s) {
    counts_.particle_number[s] += frame.particle_count(SpeciesId(s));
  }
  for (std::uint32_t p = 0; p < layout_.pairs.size(); ++p) {
    const std::uint64_t pairs = exclusions_.counted(layout_, frame, PairId(p));
    counts_.pairs[p] += pairs;
    counts_.excluded[p] += exclusions_.excluded(layout_, frame, PairId(p));
    counts_.pairs_over_volume[p] += static_cast<double>(pairs) * inverse_volume;
  }
}

BlockCounts PendingBlock::sums() {
  // Not copied: they can take much memory.
  std::vector<std::vector<std::uint64_t>> counts = std::move(counts_.counts);
  counts_.counts.assign(counts.size(), {});
  BlockCounts sums = counts_;
  counts_.counts = std::move(counts);
  return sums;
}

starpu_data_handle_t PendingBlock::counts_handle(PairId pair) {
  counted_[pair.index()] = true;
  return handles_[pair.index()].get();
}

std::uint64_t* PendingBlock::own_counts(PairId pair) {
  return counts_.counts[pair.index()].data();
}

void PendingBlock::close() {
  const auto tasks =
      static_cast<std::size_t>(std::count(counted_.begin(), counted_.end(), true));
  monitor_.update([&] {
    closed_ = true;
    pending_ = tasks;
  });
  std::size_t started = 0;
  for (std::size_t p = 0; p < handles_.size(); ++p) {
    if (counted_[p]) {
      const int code =
          starpu_data_acquire_cb(handles_[p].get(), STARPU_R, collect, &collectors_[p]);
      if (code != 0) {
        // Nobody may wait for what has not begun.
        monitor_.update([&] { pending_ -= tasks - started; });
        check_starpu(code, "collect the counts of a block");
      }
      ++started;
    }
  }
}

void PendingBlock::collect(void* collector) noexcept {
  const auto [block, pair] = *static_cast<Collector*>(collector);
  auto* const handle = block->handles_[pair].get();
  // Not the local pointer: a thread that drives a GPU may be the one that calls.
  const auto* counted = static_cast<const std::uint64_t*>(
      starpu_data_handle_to_pointer(handle, STARPU_MAIN_RAM));
  std::vector<std::uint64_t>& bins = block->counts_.counts[pair];
  std::transform(bins.begin(), bins.end(), counted, bins.begin(), std::plus<>());
  starpu_data_release(handle);
  block->monitor_.update([block = block] { --block->pending_; });
}

/// What is below the first bin and beyond the last; self pairs leave, at distance 0.
void PendingBlock::sort_out(PairId pair) {
  const std::size_t p = pair.index();
  std::vector<std::uint64_t>& bins = counts_.counts[p];
  bins.front() -= own_frames_ * exclusions_.self_pairs(layout_, pair);
  counts_.out_of_range[p] = bins.back();
  bins.pop_back();
  const auto first = bins.begin() + layout_.bins.below;
  counts_.underflow[p] = std::accumulate(bins.begin(), first, std::uint64_t{0});
  bins.erase(bins.begin(), first);
}

BlockCounts PendingBlock::take() {
  for (std::uint32_t p = 0; p < layout_.pairs.size(); ++p) {
    sort_out(PairId(p));
  }
  return std::move(counts_);
}

}  // namespace starhist::tasks
