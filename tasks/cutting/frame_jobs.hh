#pragma once

#include <vector>

#include "codelets/compound_frame.hh"
#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "codelets/core/counting/row_part.hh"
#include "codelets/frame_slice.hh"
#include "codelets/labelled/labelled_pairs.hh"
#include "tasks/cutting/cpu_share.hh"
#include "tasks/planning/batch_plan.hh"
#include "tasks/planning/cluster_cost.hh"

namespace starhist::tasks {

/// Which workers may do a task.
enum class TaskTarget {
  any,
  cpu,  ///< so small that a GPU would idle
  gpu,  ///< too large for one core
};

/// A planned counting task: rows of one species pair, in one or more frames.
struct CountJob {
  PairId pair;
  std::uint64_t pairs = 0;  ///< pairs of particles in all slices
  std::vector<codelets::FrameSlice> slices;
  TaskTarget target = TaskTarget::any;
};

/// Cuts a batch of frames into tasks according to the plan, largest first: a large
/// species pair is split by rows, frames with few pairs share a task. With GPUs most
/// pairs go into large tasks, and the budget of CPU workers into small ones. Each pair
/// of particles is in exactly one task, unless its species are counted with `labels` or
/// its row is outside `rows`. `bounds` are the bounds of these frames; without GPUs
/// they and the budget are not used. `cost_model`: cuts large like pairs into tasks
/// that cost a GPU equally much; null if the particles are not in spatial order.
std::vector<CountJob> cut_frames(const HistogramLayout& layout,
                                 const LabelledPairs& labels,
                                 const std::vector<Frame>& frames, RowPart rows,
                                 const BatchBounds& bounds, const BatchPlan& plan,
                                 CpuBudget& budget,
                                 ClusterCostModel* cost_model = nullptr);

/// A planned task for pairs within compounds: these rows in each of these frames.
struct CompoundJob {
  PairId pair;
  CompoundPairs::Rows rows;
  std::vector<codelets::CompoundFrame> frames;

  /// Number of pairs of particles in all frames.
  std::uint64_t pairs() const { return rows.pairs * frames.size(); }
};

/// Cuts the pairs within compounds, in the frames of a batch, into tasks of about
/// `most_pairs` pairs [>= 1]: frames with few pairs share a task, large ones are split
/// by rows. Each of these pairs is in exactly one task. Empty without an exclusion.
std::vector<CompoundJob> cut_compounds(const HistogramLayout& layout,
                                       const PairExclusions& exclusions,
                                       const std::vector<Frame>& frames,
                                       std::uint64_t most_pairs);

}  // namespace starhist::tasks
