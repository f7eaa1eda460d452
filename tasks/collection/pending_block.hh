#pragma once

#include <cstdint>
#include <list>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "codelets/core/counting/frame_facts.hh"
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
/// Handles are registered on first request. Call order: add frames and tasks, close(),
/// complete(), take(). For the submitting thread only.
class PendingBlock {
 public:
  /// Continues `begun`: the sums of the block's earlier frames without their counts, or
  /// an empty_block(). All references except `begun` must outlive this object; `labels`
  /// must not change after the first handle was requested. `monitor` wakes the thread
  /// that waits for complete(). Throws InputError for more bins than StarPU can handle,
  /// and std::bad_alloc.
  PendingBlock(const HistogramLayout& layout, const PairExclusions& exclusions,
               const LabelledPairs& labels, const BlockCounts& begun,
               PinnedPool& memory, CompletionMonitor& monitor);

  /// Adds the frame's properties that need no counting: numbers of particles and pairs,
  /// volume, step and time. `rows`: its rows that tasks count.
  void add_frame(const FrameFacts& frame, RowPart rows = {});
  /// Sums over all frames of the block so far, with empty counts: `begun` of the next
  /// part. Only before close().
  BlockCounts sums();

  /// Handle to which tasks add the counts of `pair`: 64-bit integers, one for each bin
  /// from distance 0 on, and a last one for pairs out of range. Only before close().
  /// The caller must submit a task that uses it.
  starpu_data_handle_t counts_handle(PairId pair);
  /// Handle to which tasks add the counts of a group of pairs with labels; each of its
  /// pairs has the entries of counts_handle(). Only before close(). The caller must
  /// submit a task that uses it.
  starpu_data_handle_t labelled_handle(std::size_t group);
  /// Array to which the submitting thread adds its own counts, with the entries of
  /// counts_handle(). Only before close().
  std::uint64_t* own_counts(PairId pair);

  /// Marks all tasks as submitted, starts the reduction and returns without waiting for
  /// it. Throws RunError if StarPU refuses it.
  void close();

  bool closed() const { return closed_; }

  /// True when the counts are complete. Call it within CompletionMonitor::update() or
  /// wait_until(), or after one of them has seen it true.
  bool complete() const { return closed_ && pending_ == 0; }

  /// Returns the sums of all frames of the block, with the counts of the frames added
  /// here. Only once complete() is true.
  BlockCounts take();

 private:
  /// Histograms registered with StarPU, one for each of `pairs`.
  struct Collector {
    PendingBlock* block = nullptr;
    std::vector<PairId> pairs;
    PinnedPool::Piece memory;  ///< empty if it is a part of a larger registration
    DataHandle handle;
  };
  static void collect(void* collector) noexcept;

  std::size_t histogram_size() const {
    return layout_.bins.count_from_zero() + std::size_t{1};
  }
  /// Memory for `count` histograms, set to zero.
  PinnedPool::Piece zero_histograms(std::size_t count) const;
  /// True if the submitting thread may have counts of `pair`: always for frames on
  /// GPUs. Number of such pairs.
  bool has_own(PairId pair) const;
  std::size_t own_pairs() const;

  void sort_out(PairId pair);

  const HistogramLayout& layout_;
  const PairExclusions& exclusions_;
  const LabelledPairs& labels_;
  CompletionMonitor& monitor_;
  BlockCounts counts_;  // counts: bins from zero on, then out of range, until take()
  /// Pairs with labels may have own counts, too: the subtracted ones.
  std::mutex adding_;
  PinnedPool& memory_;
  /// Per pair: pairs of a particle with itself in the frames added here with their
  /// first rows.
  std::vector<std::uint64_t> self_pairs_;
  PinnedPool::Piece pair_sums_;   // null before the first handle of a pair
  std::size_t own_begun_ = 0;     // histograms of pair_sums_ with a handle
  PinnedPool::Piece group_sums_;  // null before the first handle of a group
  std::list<Collector> collectors_;
  std::unordered_map<std::uint32_t, const Collector*> of_pair_;
  std::vector<Collector> of_groups_;  // empty, or one per group
  bool closed_ = false;
  std::size_t pending_ = 0;  // collectors_ that are not collected yet
};

}  // namespace starhist::tasks
