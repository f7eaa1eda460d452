#include "tasks/collection/pending_block.hh"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "codelets/core/base/contract.hh"
#include "codelets/core/base/error.hh"
#include "codelets/merge_counts_codelet.hh"
#include "tasks/runtime/check.hh"
#include "tasks/runtime/simulation.hh"

namespace starhist::tasks {

PendingBlock::PendingBlock(const HistogramLayout& layout,
                           const PairExclusions& exclusions,
                           const LabelledPairs& labels, const BlockCounts& begun,
                           PinnedPool& memory, CompletionMonitor& monitor)
    : layout_(layout),
      exclusions_(exclusions),
      labels_(labels),
      monitor_(monitor),
      counts_(begun),
      memory_(memory),
      self_pairs_(layout.pairs.size()) {
  for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
    counts_.counts[p].assign(histogram_size(), 0);
    counts_.underflow[p] = 0;
    counts_.out_of_range[p] = 0;
  }
}

void PendingBlock::add_frame(const FrameFacts& frame, RowPart rows) {
  STARHIST_EXPECT(!closed_, "frames are added before close()");
  if (rows.number == 0) {
    for (std::uint32_t p = 0; p < layout_.pairs.size(); ++p) {
      self_pairs_[p] +=
          exclusions_.self_pairs(layout_.exclusion, frame.excluded[p], PairId(p));
    }
  }
  starhist::add_frame(layout_.region, frame, counts_);
}

BlockCounts PendingBlock::sums() {
  STARHIST_EXPECT(!closed_, "sums() is called before close()");
  // Moved, not copied: the counts can take much memory.
  std::vector<std::vector<std::uint64_t>> counts = std::move(counts_.counts);
  counts_.counts.assign(counts.size(), {});
  BlockCounts sums = counts_;
  counts_.counts = std::move(counts);
  return sums;
}

PinnedPool::Piece PendingBlock::zero_histograms(std::size_t count) const {
  PinnedPool::Piece sums =
      memory_.take(count * histogram_size() * sizeof(std::uint64_t));
  std::fill_n(sums->data<std::uint64_t>(), count * histogram_size(), 0);
  if (sums->pin()) {
    spend_time_on_new_memory(sums->bytes());
  }
  return sums;
}

bool PendingBlock::has_own(PairId pair) const {
  return !labels_.contains(pair) || exclusions_.compounds(pair).pair_count() > 0;
}

std::size_t PendingBlock::own_pairs() const {
  std::size_t pairs = 0;
  for (std::uint32_t p = 0; p < layout_.pairs.size(); ++p) {
    pairs += has_own(PairId(p)) ? 1 : 0;
  }
  return pairs;
}

starpu_data_handle_t PendingBlock::counts_handle(PairId pair) {
  STARHIST_EXPECT(!closed_, "tasks are submitted before close()");
  STARHIST_EXPECT(pair.index() < layout_.pairs.size(), "the layout has this pair");
  const Collector*& of_pair = of_pair_[pair.get()];
  if (of_pair == nullptr) {
    Collector collector{this, {pair}, {}, {}};
    if (!has_own(pair)) {
      collector.memory = zero_histograms(1);
    } else if (!pair_sums_) {
      pair_sums_ = zero_histograms(own_pairs());
    }
    std::uint64_t* const sums =
        collector.memory
            ? collector.memory->data<std::uint64_t>()
            : pair_sums_->data<std::uint64_t>() + own_begun_++ * histogram_size();
    collector.handle = make_vector_handle(sums, histogram_size());
    starpu_data_set_reduction_methods(collector.handle.get(),
                                      codelets::merge_counts_codelet(),
                                      codelets::zero_counts_codelet());
    of_pair = &collectors_.emplace_back(std::move(collector));
  }
  return of_pair->handle.get();
}

starpu_data_handle_t PendingBlock::labelled_handle(std::size_t group) {
  STARHIST_EXPECT(!closed_, "tasks are submitted before close()");
  STARHIST_EXPECT(group < labels_.groups.size(), "the labels have this group");
  if (of_groups_.empty()) {
    std::size_t histograms = 0;
    for (const LabelledPairs::Group& of_group : labels_.groups) {
      histograms += of_group.pairs.size();
    }
    group_sums_ = zero_histograms(histograms);
    auto* sums = group_sums_->data<std::uint64_t>();
    for (const LabelledPairs::Group& of_group : labels_.groups) {
      const std::size_t size = of_group.pairs.size() * histogram_size();
      of_groups_.push_back({this, of_group.pairs, {}, make_vector_handle(sums, size)});
      sums += size;
    }
  }
  return of_groups_[group].handle.get();
}

std::uint64_t* PendingBlock::own_counts(PairId pair) {
  STARHIST_EXPECT(!closed_, "counts are added before close()");
  return counts_.counts[pair.index()].data();
}

void PendingBlock::close() {
  STARHIST_EXPECT(!closed_, "a block is closed once");
  std::vector<Collector*> all;
  for (Collector& collector : collectors_) {
    all.push_back(&collector);
  }
  for (Collector& collector : of_groups_) {
    all.push_back(&collector);
  }
  monitor_.update([&] {
    closed_ = true;
    pending_ = all.size();
  });
  std::size_t started = 0;
  for (Collector* collector : all) {
    const int code =
        starpu_data_acquire_cb(collector->handle.get(), STARPU_R, collect, collector);
    if (code != 0) {
      // close() was not called: do not wait for tasks that were never submitted.
      monitor_.update([&] { pending_ -= all.size() - started; });
      check_starpu(code, "collect the counts of a block");
    }
    ++started;
  }
}

void PendingBlock::collect(void* collector) noexcept {
  const Collector& own = *static_cast<Collector*>(collector);
  PendingBlock* const block = own.block;
  // Use StarPU's pointer, not the local one: this callback may run in a thread that
  // drives a GPU.
  const auto* counted = static_cast<const std::uint64_t*>(
      starpu_data_handle_to_pointer(own.handle.get(), STARPU_MAIN_RAM));
  for (const PairId pair : own.pairs) {
    const std::lock_guard lock(block->adding_);
    std::vector<std::uint64_t>& bins = block->counts_.counts[pair.index()];
    std::transform(bins.begin(), bins.end(), counted, bins.begin(), std::plus<>());
    counted += bins.size();
  }
  starpu_data_release(own.handle.get());
  block->monitor_.update([block] { --block->pending_; });
}

/// Moves the counts below the first and beyond the last bin to underflow and out of
/// range, and removes self pairs, which have distance 0.
void PendingBlock::sort_out(PairId pair) {
  const std::size_t p = pair.index();
  std::vector<std::uint64_t>& bins = counts_.counts[p];
  bins.front() -= self_pairs_[p];
  STARHIST_ENSURE(bins.size() == histogram_size(), "a histogram has all its bins");
  counts_.out_of_range[p] = bins.back();
  bins.pop_back();
  const auto first = bins.begin() + layout_.bins.below;
  counts_.underflow[p] = std::accumulate(bins.begin(), first, std::uint64_t{0});
  bins.erase(bins.begin(), first);
}

BlockCounts PendingBlock::take() {
  STARHIST_EXPECT(complete(), "counts are taken once they are complete");
  for (std::uint32_t p = 0; p < layout_.pairs.size(); ++p) {
    sort_out(PairId(p));
  }
  return std::move(counts_);
}

}  // namespace starhist::tasks
