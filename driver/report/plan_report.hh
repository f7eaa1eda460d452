#pragma once

#include <iosfwd>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "tasks/planning/counting_options.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::driver {

/// Prints the plan of a run, based on `frame` (TrajectoryRun::planned_frame()): how
/// many of its pairs clusters skip (exact numbers), whether clusters are used, sizes of
/// tasks, and the predicted time of the run.
void report_plan(std::ostream& out, tasks::Runtime& runtime,
                 const HistogramLayout& layout, const PairExclusions& exclusions,
                 const tasks::CountingOptions& options, const Frame& frame);

/// The predicted time of the run, as report_plan() prints it [s]. Throws InputError if
/// the run does not fit into memory.
double planned_seconds(tasks::Runtime& runtime, const HistogramLayout& layout,
                       const PairExclusions& exclusions,
                       const tasks::CountingOptions& options, const Frame& frame);

}  // namespace starhist::driver
