#pragma once

#include <cstdint>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "codelets/labelled/labelled_pairs.hh"
#include "codelets/run_status.hh"
#include "tasks/collection/pending_block.hh"
#include "tasks/memory/pinned_pool.hh"
#include "tasks/submission/submitted_batch.hh"

namespace starhist::tasks {

/// Copies the positions of a batch, frame by frame and label by label, into memory of
/// the pool, which must outlive the result. There must be a frame and a group. Throws
/// InputError for more coordinates than StarPU can handle, and std::bad_alloc.
LabelledPositions take_labelled_positions(const std::vector<Frame>& frames,
                                          const LabelledPairs& labels,
                                          PinnedPool& memory);

/// Tasks that count small species together, one per group and batch. They are for CPU
/// workers. All references must live until the tasks have ended.
class LabelledTasks {
 public:
  /// `threads`: number per CPU worker.
  LabelledTasks(const HistogramLayout& layout, const LabelledPairs& labels, int threads,
                codelets::RunStatus& status)
      : layout_(layout), labels_(labels), threads_(threads), status_(status) {}

  /// Submits the task of a group with `pairs` pairs in all frames of the batch, whose
  /// labelled positions must exist. Throws RunError if StarPU refuses it.
  void submit(std::size_t group, std::uint64_t pairs, int priority, PendingBlock& block,
              SubmittedBatch& batch) const;

 private:
  const HistogramLayout& layout_;
  const LabelledPairs& labels_;
  int threads_;
  codelets::RunStatus& status_;
};

}  // namespace starhist::tasks
