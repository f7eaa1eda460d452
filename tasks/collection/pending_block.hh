#pragma once

#include <cstdint>
#include <list>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "codelets/core/counting/row_part.hh"
#include "codelets/labelled/labelled_pairs.hh"
#include "tasks/memory/pinned_pool.hh"
#include "tasks/runtime/completion_monitor.hh"
#include "tasks/runtime/data_handle.hh"

namespace starhist::tasks {

/// A block of frames, or a part of one, whose counts are being collected: one
/// STARPU_REDUX handle per species pair, to which every worker adds its own replica,
/// and one handle without replicas per group of pairs that are counted with labels.
/// Handles are registered when they are asked for.
/// Life: frames and tasks are added, close(), complete(), take(). For the submitting
/// thread alone.
class PendingBlock {
 public:
  /// Continues `begun`: the sums of earlier frames of the block, or an empty_block() if
  /// there are none. Their counts are left out. The references must live longer, but
  /// for `begun`; `labels` must not change once a handle was asked for. `monitor` wakes
  /// whoever waits for complete(). Throws InputError for more bins than StarPU can
  /// handle, and std::bad_alloc.
  PendingBlock(const HistogramLayout& layout, const PairExclusions& exclusions,
               const LabelledPairs& labels, const BlockCounts& begun,
               PinnedPool& memory, CompletionMonitor& monitor);

  /// Adds what is known of a frame without counting: numbers of particles and of pairs,
  /// volume, step and time. `rows`: those of it that tasks count.
  void add_frame(const Frame& frame, RowPart rows = {});
  /// Sums of all frames of the block so far, with empty counts: `begun` of the next
  /// part. Only before close().
  BlockCounts sums();

  /// Where tasks add the counts of `pair`: 64-bit integers, one for each bin from
  /// distance 0 on, and a last one for pairs out of range. Only before close(). Who
  /// asks for it submits a task that uses it.
  starpu_data_handle_t counts_handle(PairId pair);
  /// Where tasks add the counts of a group of pairs with labels: the same for each of
  /// its pairs. Only before close(). Who asks for it submits a task that uses it.
  starpu_data_handle_t labelled_handle(std::size_t group);
  /// Where the submitting thread adds counts of its own, with the same entries. Only
  /// before close().
  std::uint64_t* own_counts(PairId pair);

  /// Says that all tasks are submitted. Starts the reduction and returns without
  /// waiting for it. Throws RunError where StarPU refuses it.
  void close();

  bool closed() const { return closed_; }

  /// True when the counts are complete. Call it within CompletionMonitor::update() or
  /// wait_until(), or after one of them has seen it true.
  bool complete() const { return closed_ && pending_ == 0; }

  /// Once complete: the sums of all frames of the block, with the counts of the frames
  /// that were added here.
  BlockCounts take();

 private:
  /// Registered sums: a histogram for each of `pairs`.
  struct Collector {
    PendingBlock* block = nullptr;
    std::vector<PairId> pairs;
    PinnedPool::Piece memory;  ///< none where it is a part of that of all
    DataHandle handle;
  };
  static void collect(void* collector) noexcept;

  std::size_t histogram_size() const {
    return layout_.bins.count_from_zero() + std::size_t{1};
  }
  /// Zeros for as many histograms.
  PinnedPool::Piece zero_histograms(std::size_t count) const;
  /// Whether a pair may have counts of its own: those of frames on GPUs have them in
  /// any case. Number of such pairs.
  bool has_own(PairId pair) const;
  std::size_t own_pairs() const;

  void sort_out(PairId pair);

  const HistogramLayout& layout_;
  const PairExclusions& exclusions_;
  const LabelledPairs& labels_;
  CompletionMonitor& monitor_;
  BlockCounts counts_;  // counts: bins from zero on, then out of range, until take()
  /// A pair with labels may have counts of its own, too: those that are subtracted.
  std::mutex adding_;
  PinnedPool& memory_;
  PinnedPool::Piece pair_sums_;   // none before the first handle of a pair
  std::size_t own_begun_ = 0;     // histograms of pair_sums_ with a handle
  PinnedPool::Piece group_sums_;  // none before the first handle of a group
  std::list<Collector> collectors_;
  std::unordered_map<std::uint32_t, const Collector*> of_pair_;
  std::vector<Collector> of_groups_;  // empty, or one per group
  bool closed_ = false;
  std::uint64_t own_frames_ = 0;  // that were added here, with their first rows
  std::size_t pending_ = 0;       // of collectors_: not collected yet
};

}  // namespace starhist::tasks
