#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "codelets/gpu_scratch.hh"
#include "codelets/run_status.hh"
#include "tasks/collection/pending_block.hh"
#include "tasks/cutting/batch_cutter.hh"
#include "tasks/cutting/cpu_share.hh"
#include "tasks/memory/pinned_pool.hh"
#include "tasks/planning/batch_plan.hh"
#include "tasks/positions/batch_copies.hh"
#include "tasks/runtime/runtime.hh"
#include "tasks/submission/counting_tasks.hh"
#include "tasks/submission/submit_task.hh"
#include "tasks/submission/submitted_batch.hh"
#include "tasks/submission/task_workers.hh"

namespace starhist::tasks {

/// Submits the tasks of batches: for every species pair one task, or several if the
/// pair is large, longest first. If PairExclusions adds or subtracts pairs within
/// compounds, these have separate tasks. For one thread.
class BatchSubmitter {
 public:
  /// This object and the references must live until all tasks have ended. `labels` must
  /// not change after the first batch.
  BatchSubmitter(Runtime& runtime, const HistogramLayout& layout,
                 const PairExclusions& exclusions, const LabelledPairs& labels,
                 PinnedPool& memory, codelets::RunStatus& status, CpuShare& cpu_share,
                 BatchEvents events);

  /// Allocates the scratch memory of GPUs before the first batch in spatial order.
  void prepare(const Frame& frame, const BatchPlan& plan);

  /// Submits the tasks of `jobs`, into which the batch was cut, and returns without
  /// waiting for them. `positions` are the batch's, and its frames must
  /// belong to `block`. Without any pair the events occur before this returns. Throws
  /// InputError for more labelled particles than StarPU can handle, RunError if it
  /// refuses a task, and std::bad_alloc.
  void submit(const BegunBatch& batch,
              const std::shared_ptr<PreparedPositions>& positions, BatchJobs jobs,
              PendingBlock& block);

 private:
  void submit_others(const BatchJobs& jobs, PriorityRange priorities,
                     PendingBlock& block, SubmittedBatch& submitted);
  TaskWorkers::Masks* workers_of(const BegunBatch& batch);

  Runtime& runtime_;
  const HistogramLayout& layout_;
  const LabelledPairs& labels_;
  PinnedPool& memory_;
  codelets::RunStatus& status_;
  CpuShare& cpu_share_;
  const BatchEvents events_;
  CountingTasks counting_tasks_;
  CompoundTasks compound_tasks_;
  LabelledTasks labelled_tasks_;
  TaskWorkers workers_;
  std::list<SubmittedBatch> batches_;
  /// Set with GPUs, from the first batch in spatial order on.
  std::unique_ptr<codelets::GpuScratch> scratch_;
  std::uint64_t submitted_ = 0;  ///< number of batches
};

/// Bytes of scratch memory that each stream of a GPU needs to sort and to count in
/// clusters, in batches of frames like `frame`: enough for one frame, and for the
/// largest task of a batch up to the size of one launch and 1 GiB. A larger task is
/// counted in several launches, and not sorted. 0 in a build without CUDA.
std::size_t scratch_bytes(const HistogramLayout& layout, const Frame& frame,
                          const BatchPlan& plan);

}  // namespace starhist::tasks
