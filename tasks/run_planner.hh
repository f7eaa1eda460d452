#pragma once

#include <cstdint>
#include <optional>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "codelets/core/counting/row_part.hh"
#include "codelets/labelled/labelled_pairs.hh"
#include "tasks/cutting/cpu_share.hh"
#include "tasks/planning/batch_plan.hh"
#include "tasks/planning/counting_options.hh"
#include "tasks/planning/machine_speeds.hh"
#include "tasks/planning/workload.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::tasks {

/// The plan of a run, and the inputs from which it follows.
struct RunPlan {
  LabelledPairs labels;  ///< counted with a label per particle
  Workload work;
  MachineSpeeds machine;  ///< with the speeds that models have measured so far
  BatchPlan batches;
};

/// Returns the plan that a PairCounter with these options makes for a run of frames
/// like `frame`, whose positions are in main memory. Throws InputError if the run does
/// not fit into memory.
RunPlan plan_run(Runtime& runtime, const HistogramLayout& layout,
                 const PairExclusions& exclusions, const CountingOptions& options,
                 const Frame& frame);

/// The plan of a run as it changes while frames arrive and tasks measure speeds.
/// References must outlive this object. For one thread.
class RunPlanner {
 public:
  RunPlanner(Runtime& runtime, const HistogramLayout& layout,
             const PairExclusions& exclusions, const CountingOptions& options,
             CpuShare& cpu_share)
      : runtime_(runtime),
        layout_(layout),
        exclusions_(exclusions),
        options_(options),
        cpu_share_(cpu_share) {}

  /// True if there is a plan that holds for this frame: a batch of frames with more
  /// than twice as many particles as those planned for would not fit into memory.
  bool covers(const Frame& frame) const;
  /// Plans for frames like this one, of which each batch counts one part `rows`. Throws
  /// InputError if the run does not fit into memory.
  void plan_for(const Frame& frame, RowPart rows);
  /// Adapts the plan and the share of CPU workers to the speeds measured so far, before
  /// a batch of frames like this one. There must be a plan.
  void follow_speeds(const Frame& frame, RowPart rows);

  /// Empty before the first plan.
  const std::optional<BatchPlan>& plan() const { return plan_; }
  /// Pairs with a label per particle; constant from the first plan on.
  const LabelledPairs& labels() const { return labels_; }
  /// Frames of the batch with this number, from 0: with GPUs the first batches are
  /// small, so that GPUs need not wait until all frames of a full batch are read.
  std::uint64_t frames_of_batch(std::uint64_t number) const;
  /// True if a batch of this frame keeps a GPU busy for longer than its copy takes.
  bool is_large(const Frame& frame) const;

 private:
  Workload workload(const Frame& frame, RowPart rows) const;

  Runtime& runtime_;
  const HistogramLayout& layout_;
  const PairExclusions& exclusions_;
  const CountingOptions& options_;
  CpuShare& cpu_share_;
  LabelledPairs labels_;
  std::optional<BatchPlan> plan_;
  std::uint64_t particles_ = 0;  ///< of the frame for which plan_ was made
  /// True if the plan has speeds of GPUs that were not measured.
  bool provisional_ = false;
};

}  // namespace starhist::tasks
