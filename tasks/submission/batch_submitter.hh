#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "tasks/collection/pending_block.hh"
#include "tasks/memory/pinned_pool.hh"
#include "tasks/planning/batch_plan.hh"
#include "tasks/planning/cluster_cost.hh"
#include "tasks/planning/compound_jobs.hh"
#include "tasks/planning/frame_jobs.hh"
#include "tasks/runtime/runtime.hh"
#include "tasks/runtime/thread_pool.hh"
#include "tasks/submission/batch_positions.hh"

namespace starhist::tasks {

/// Submits the tasks of a batch of frames of one block: for every species pair one
/// task, or several when the pair is large; longest first. Pairs within units, which
/// PairExclusions wants counted or subtracted, have tasks of their own.
class BatchSubmitter {
 public:
  /// Both are called, in a StarPU thread, once per submitted batch:
  /// `on_only_cpu_tasks_left` when no tasks are left but those that only CPU workers
  /// may do, then `on_done` when the last has ended. The arguments must live until
  /// then.
  BatchSubmitter(Runtime& runtime, const HistogramLayout& layout,
                 const PairExclusions& exclusions, PinnedPool& memory,
                 codelets::RunStatus& status,
                 std::function<void()> on_only_cpu_tasks_left,
                 std::function<void()> on_done);
  /// When all tasks have ended.
  ~BatchSubmitter();

  /// Copies the positions and submits. All frames must have
  /// boxes of one kind. Calls both at once if there is not a single pair.
  void submit(const std::vector<Frame>& frames, const BatchPlan& plan,
              PendingBlock& block);

 private:
  struct Batch;
  struct TaskTicket;
  void forget_finished_batches();
  DataHandle submit_sort(const std::vector<Frame>& frames, const BatchPositions& batch,
                         SpeciesId species);
  void allocate_scratch(const std::vector<Frame>& frames, const BatchPlan& plan);
  std::uint64_t room_for_cpu_tasks(const BatchPlan& plan,
                                   const std::vector<Frame>& frames) const;
  void submit_job(const CountJob& job, const std::vector<DataHandle>& positions,
                  perfmodels::Geometry geometry, bool clustered, PendingBlock& block,
                  Batch& batch);
  void submit_compounds(const CompoundJob& job, PendingBlock& block, Batch& batch);
  void count_compounds_here(const CompoundJob& job, const std::vector<Frame>& frames,
                            PendingBlock& block) const;
  codelets::CountCompoundPairsArgs compound_args(const CompoundJob& job) const;
  /// Callbacks of StarPU. `argument` is the TaskTicket, for compounds the Batch.
  static void task_ended(void* argument) noexcept;
  static void compound_task_ended(void* argument) noexcept;
  static void batch_task_ended(Batch* batch) noexcept;

  Runtime& runtime_;
  const HistogramLayout& layout_;
  const PairExclusions& exclusions_;
  PinnedPool& memory_;
  codelets::RunStatus& status_;
  std::function<void()> on_only_cpu_tasks_left_;
  std::function<void()> on_done_;
  ThreadPool copying_threads_;
  std::list<Batch> in_flight_;
  std::vector<std::string> pair_names_;
  std::vector<std::string> compound_names_;
  FrameJobs jobs_;
  std::optional<ClusterCostModel> cost_model_;  ///< of the last tiled batch
  std::unique_ptr<codelets::GpuScratch>
      scratch_;  ///< with GPUs, from the first tiled batch on
  std::uint64_t batches_ = 0;
  std::atomic<std::uint64_t> cpu_tasks_{0};  ///< submitted and not ended
};

}  // namespace starhist::tasks
