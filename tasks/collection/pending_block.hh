#pragma once

#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "tasks/memory/pinned_pool.hh"
#include "tasks/runtime/completion_monitor.hh"
#include "tasks/runtime/data_handle.hh"

namespace starhist::tasks {

/// A block of frames whose counts are being collected: one STARPU_REDUX handle per
/// species pair, to which every worker adds its own replica.
class PendingBlock {
 public:
  /// Layout, exclusions and memory must live as long.
  PendingBlock(const HistogramLayout& layout, const PairExclusions& exclusions,
               BlockIndex index, PinnedPool& memory, CompletionMonitor& monitor);

  /// Adds what is known of a frame without counting: N, V, number of pairs.
  void add_frame(const Frame& frame);
  std::uint32_t frame_count() const { return counts_.frames; }

  /// Where tasks add the counts of `pair`.
  starpu_data_handle_t counts_handle(PairId pair);
  /// Where the submitting thread adds counts of its own, as many entries as there; only
  /// before close().
  std::uint64_t* own_counts(PairId pair);

  /// No more tasks will be submitted: starts the reduction and returns.
  void close();

  bool closed() const { return closed_; }

  /// True when the counts are complete; call it within CompletionMonitor::wait_until,
  /// or after that has returned.
  bool complete() const { return closed_ && pending_ == 0; }

  /// The complete counts, checked: every pair was counted once.
  BlockCounts take();

 private:
  struct Collector {
    PendingBlock* block;
    std::size_t pair;
  };
  static void collect(void* collector) noexcept;

  void sort_out(PairId pair);

  const HistogramLayout& layout_;
  const PairExclusions& exclusions_;
  CompletionMonitor& monitor_;
  BlockCounts counts_;  // counts: bins from zero on, then out of range, until take()
  PinnedPool::Piece memory_;           // of the sums
  std::vector<DataHandle> handles_;    // per pair
  std::vector<Collector> collectors_;  // per pair
  std::vector<bool> counted_;          // per pair: has tasks
  bool closed_ = false;
  std::size_t pending_ = 0;
};

}  // namespace starhist::tasks
