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
#include "tasks/planning/cluster_cost.hh"
#include "tasks/planning/frame_jobs.hh"
#include "tasks/runtime/data_handle.hh"
#include "tasks/runtime/runtime.hh"
#include "tasks/submission/submitted_batch.hh"

namespace starhist::tasks {

/// The positions of a batch as its counting tasks read them.
struct OrderedPositions {
  const std::vector<DataHandle>* handles = nullptr;  ///< by species
  perfmodels::Geometry geometry = perfmodels::Geometry::open;
  /// Of the frames, where positions are in spatial order; null: in any order.
  ClusterCostModel* cost_model = nullptr;
  /// Of GPUs, for positions in spatial order; null: they do not use the order.
  const codelets::GpuScratch* scratch = nullptr;
  /// Those that may count; null: all.
  std::vector<std::uint32_t>* workers = nullptr;
};

/// Tasks that count the pairs of a species pair in frames of a batch. All references
/// must live until the tasks have ended.
class CountingTasks {
 public:
  CountingTasks(Runtime& runtime, const HistogramLayout& layout,
                codelets::RunStatus& status);

  /// Submits the task of a job. Throws RunError where StarPU refuses it.
  void submit(const CountJob& job, const OrderedPositions& positions, int priority,
              PendingBlock& block, SubmittedBatch& batch);

 private:
  Runtime& runtime_;
  const HistogramLayout& layout_;
  codelets::RunStatus& status_;
  /// Of the species pairs that have had a task; StarPU keeps pointers to them.
  std::map<PairId, std::string> names_;
};

}  // namespace starhist::tasks
