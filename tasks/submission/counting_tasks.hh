#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "codelets/core/counting/histogram.hh"
#include "codelets/gpu_scratch.hh"
#include "codelets/run_status.hh"
#include "perfmodels/work_class.hh"
#include "tasks/collection/pending_block.hh"
#include "tasks/cutting/frame_jobs.hh"
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

}  // namespace starhist::tasks
