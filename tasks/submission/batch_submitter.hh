#pragma once

#include <future>
#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "codelets/gpu_scratch.hh"
#include "codelets/run_status.hh"
#include "tasks/collection/pending_block.hh"
#include "tasks/memory/pinned_pool.hh"
#include "tasks/planning/batch_plan.hh"
#include "tasks/planning/cluster_cost.hh"
#include "tasks/planning/compound_jobs.hh"
#include "tasks/planning/cpu_share.hh"
#include "tasks/runtime/runtime.hh"
#include "tasks/runtime/thread_pool.hh"
#include "tasks/submission/compound_tasks.hh"
#include "tasks/submission/counting_tasks.hh"
#include "tasks/submission/gpu_batches.hh"
#include "tasks/submission/labelled_tasks.hh"
#include "tasks/submission/submitted_batch.hh"
#include "tasks/submission/task_workers.hh"

namespace starhist::tasks {

/// A batch whose positions are being copied by another thread.
struct BegunBatch {
  std::vector<Frame> frames;
  RowPart rows;
  bool same_frame = false;  ///< the frame of the previous batch, already copied
  BatchPlan plan;
  /// Not set if the positions need no copy in main memory.
  std::future<BatchPositions> positions;
  double copied_at = 0.0;  ///< end of a simulated copy [s]

  /// Waits until the positions are copied.
  void wait_for_copy() const;
  /// True if that thread has copied the positions.
  bool is_copied() const;
};

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

  /// Begins to copy the positions of a batch, while the caller may submit the previous
  /// one, whose copy must have ended. The frames must have boxes of one kind; only the
  /// given rows are counted. All frames are in main memory, or all on one GPU, whose
  /// workers then count all pairs. `same_frame`: the single frame is the frame of the
  /// previous batch, and its positions are reused.
  std::unique_ptr<BegunBatch> begin(std::vector<Frame>&& frames, RowPart rows,
                                    bool same_frame, const BatchPlan& plan);
  /// Waits for the copy, submits the tasks, and returns without waiting for them. The
  /// frames must belong to `block`. Without any pair the events occur before this
  /// returns. Batches are submitted in the order in which they were begun. Throws
  /// InputError for more particles than StarPU can handle, RunError if it refuses a
  /// task, and std::bad_alloc.
  void submit(BegunBatch& begun, PendingBlock& block);

 private:
  std::vector<CompoundJob> cut_compounds_for_tasks(const std::vector<Frame>& frames,
                                                   const BatchPlan& plan,
                                                   PendingBlock& block) const;
  std::vector<DataHandle> submit_all_sorting(const std::vector<Frame>& frames,
                                             const BatchPlan& plan,
                                             const BatchPositions& positions,
                                             std::vector<std::uint32_t>* workers);
  ClusterCostModel* cost_model_of(const std::vector<Frame>& frames,
                                  const BatchPlan& plan);
  void prepare_first(const BegunBatch& batch);
  void allocate_scratch(const Frame& frame, const BatchPlan& plan);
  TaskWorkers::Masks* workers_of(const std::vector<Frame>& frames,
                                 const BatchPlan& plan);
  std::shared_ptr<PreparedPositions> prepare(BegunBatch& batch);

  /// Number of pairs of each group of labels in the frames; empty without labels.
  std::vector<std::uint64_t> pairs_of_groups(const std::vector<Frame>& frames) const;

  Runtime& runtime_;
  const HistogramLayout& layout_;
  const PairExclusions& exclusions_;
  const LabelledPairs& labels_;
  PinnedPool& memory_;
  codelets::RunStatus& status_;
  CpuShare& cpu_share_;
  const BatchEvents events_;
  ThreadPool copying_threads_;
  CountingTasks counting_tasks_;
  CompoundTasks compound_tasks_;
  LabelledTasks labelled_tasks_;
  GpuBatches gpu_batches_;
  TaskWorkers workers_;
  std::vector<bool> wanted_species_;  ///< empty: all species, or no batch yet
  std::list<SubmittedBatch> batches_;
  /// Positions of the last frame, if its rows are divided.
  std::shared_ptr<PreparedPositions> divided_;
  /// Set with GPUs, from the first batch in spatial order on.
  std::unique_ptr<codelets::GpuScratch> scratch_;
  std::optional<ClusterCostModel> cost_model_;  ///< set from the first batch in spatial
                                                ///< order on
  std::uint64_t submitted_ = 0;                 ///< number of batches
};

}  // namespace starhist::tasks
