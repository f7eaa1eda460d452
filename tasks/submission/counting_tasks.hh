#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "codelets/count_compound_pairs_codelet.hh"
#include "codelets/gpu_scratch.hh"
#include "codelets/labelled/labelled_pairs.hh"
#include "codelets/run_status.hh"
#include "perfmodels/work_class.hh"
#include "tasks/collection/pending_block.hh"
#include "tasks/cutting/frame_jobs.hh"
#include "tasks/memory/pinned_pool.hh"
#include "tasks/planning/cluster_cost.hh"
#include "tasks/runtime/data_handle.hh"
#include "tasks/runtime/runtime.hh"
#include "tasks/submission/submitted_batch.hh"

namespace starhist::tasks {

/// The positions of a batch for its counting tasks.
struct OrderedPositions {
  const std::vector<DataHandle>* handles = nullptr;  ///< by species
  perfmodels::Geometry geometry = perfmodels::Geometry::open;
  /// Costs for positions in spatial order; null: any order.
  ClusterCostModel* cost_model = nullptr;
  /// Scratch memory of GPUs for positions in spatial order; null: GPUs do not use the
  /// order.
  const codelets::GpuScratch* scratch = nullptr;
  /// Workers that may count; null: all.
  std::vector<std::uint32_t>* workers = nullptr;
  std::uint64_t number = 0;  ///< CountPairsArgs::same_frames
};

/// Tasks that count the pairs of a species pair in the frames of a batch. All
/// references must live until the tasks have ended.
class CountingTasks {
 public:
  CountingTasks(Runtime& runtime, const HistogramLayout& layout,
                codelets::RunStatus& status);

  /// Submits the task of a job. Throws RunError if StarPU refuses it.
  void submit(const CountJob& job, const OrderedPositions& positions, int priority,
              PendingBlock& block, SubmittedBatch& batch);

 private:
  Runtime& runtime_;
  const HistogramLayout& layout_;
  codelets::RunStatus& status_;
  /// Names of the species pairs that have had a task; StarPU keeps pointers to them.
  std::map<PairId, std::string> names_;
};

/// Tasks that count pairs within compounds, to be added or subtracted according to the
/// exclusion. They are for CPU workers. All references must live until the tasks have
/// ended.
class CompoundTasks {
 public:
  /// `threads`: number per CPU worker.
  CompoundTasks(const HistogramLayout& layout, const PairExclusions& exclusions,
                int threads, codelets::RunStatus& status);

  /// Submits the task of a job. Throws RunError if StarPU refuses it.
  void submit(const CompoundJob& job, int priority, PendingBlock& block,
              SubmittedBatch& batch);

  /// Counts in the calling thread, for machines with GPUs but no CPU worker. `frames`
  /// are the frames of the job's batch.
  void count_here(const CompoundJob& job, const std::vector<Frame>& frames,
                  PendingBlock& block) const;

 private:
  codelets::CountCompoundPairsArgs args_of(const CompoundJob& job) const;

  const HistogramLayout& layout_;
  const PairExclusions& exclusions_;
  int threads_;
  codelets::RunStatus& status_;
  /// Names of the species pairs that have had a task; StarPU keeps pointers to them.
  std::map<PairId, std::string> names_;
};

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
