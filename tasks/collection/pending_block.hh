#pragma once

#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "tasks/memory/pinned_pool.hh"
#include "tasks/runtime/completion_monitor.hh"
#include "tasks/runtime/data_handle.hh"

namespace starhist::tasks {

/// A block of frames, or a part of one, whose counts are being collected: one
/// STARPU_REDUX handle per species pair, to which every worker adds its own replica.
/// Life: frames and tasks are added, close(), complete(), take(). For the submitting
/// thread alone.
class PendingBlock {
 public:
  /// Continues `begun`: the sums of earlier frames of the block, or an empty_block() if
  /// there are none. Their counts are left out. The references must live longer, but
  /// for `begun`. `monitor` wakes whoever waits for complete(). Throws InputError for
  /// more bins than StarPU can handle, and std::bad_alloc.
  PendingBlock(const HistogramLayout& layout, const PairExclusions& exclusions,
               const BlockCounts& begun, PinnedPool& memory,
               CompletionMonitor& monitor);

  /// Adds what is known of a frame without counting: numbers of particles and of pairs,
  /// volume, step and time.
  void add_frame(const Frame& frame);
  /// Sums of all frames of the block so far, with empty counts: `begun` of the next
  /// part. Only before close().
  BlockCounts sums();

  /// Where tasks add the counts of `pair`: 64-bit integers, one for each bin from
  /// distance 0 on, and a last one for pairs out of range. Only before close(). Who
  /// asks for it submits a task that uses it.
  starpu_data_handle_t counts_handle(PairId pair);
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
  std::uint64_t own_frames_ = 0;  // that were added here
  std::size_t pending_ = 0;       // species pairs that are not collected yet
};

}  // namespace starhist::tasks
