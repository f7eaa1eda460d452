#pragma once

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "codelets/labelled/labelled_pairs.hh"
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

}  // namespace starhist::tasks
