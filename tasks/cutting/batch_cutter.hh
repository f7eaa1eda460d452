#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "codelets/core/counting/row_part.hh"
#include "codelets/labelled/labelled_pairs.hh"
#include "perfmodels/work_class.hh"
#include "tasks/cutting/cpu_share.hh"
#include "tasks/cutting/frame_jobs.hh"
#include "tasks/planning/batch_plan.hh"
#include "tasks/planning/cluster_cost.hh"

namespace starhist::tasks {

/// The planned tasks of a batch of frames.
struct BatchJobs {
  std::vector<CountJob> counting;          ///< largest first
  std::vector<CompoundJob> compounds;      ///< pairs within compounds
  std::vector<std::uint64_t> labelled;     ///< pairs of each group of labels, or empty
  perfmodels::Geometry geometry{};         ///< of the distances
  ClusterCostModel* cost_model = nullptr;  ///< null: particles in the order of the file

  /// Number of tasks that count labelled pairs: one for each group with pairs.
  std::size_t labelled_tasks() const;
  /// Number of counting tasks that are not for CPU workers only.
  std::size_t for_any_worker() const;
  /// Number of all tasks.
  std::size_t tasks() const {
    return counting.size() + compounds.size() + labelled_tasks();
  }
};

/// Cuts batches of frames into tasks. References must outlive this object.
class BatchCutter {
 public:
  BatchCutter(const HistogramLayout& layout, const PairExclusions& exclusions,
              const LabelledPairs& labels, CpuShare& cpu_share)
      : layout_(layout),
        exclusions_(exclusions),
        labels_(labels),
        cpu_share_(cpu_share) {}

  /// Calculates the cost of near pairs for frames like this one if GPUs count in
  /// spatial order, so that the first cut() does not take longer than later ones.
  void prepare(const Frame& frame, const BatchPlan& plan);

  /// Cuts a batch as cut_frames() and cut_compounds() do: each pair of particles of
  /// these rows is in exactly one task. Pairs of labels and within compounds belong to
  /// the first part of the rows. `bounds` belong to the frames. The cost model is
  /// valid until the next call.
  BatchJobs cut(const std::vector<Frame>& frames, RowPart rows,
                const BatchBounds& bounds, const BatchPlan& plan);

 private:
  void look_at(const Frame& frame);

  const HistogramLayout& layout_;
  const PairExclusions& exclusions_;
  const LabelledPairs& labels_;
  CpuShare& cpu_share_;
  std::optional<ClusterCostModel> cost_model_;  ///< set from the first batch in spatial
                                                ///< order on
};

}  // namespace starhist::tasks
