#pragma once

#include <iosfwd>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "tasks/planning/counting_options.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::driver {

/// Tells how a run would be worked on, judging by `frame`, its first one with pairs (if
/// none has any, its last): what clusters make of the pairs (exactly, for that frame),
/// whether they are used, sizes of tasks, and the time that all of it is expected to
/// take.
void report_plan(std::ostream& out, tasks::Runtime& runtime,
                 const HistogramLayout& layout, const PairExclusions& exclusions,
                 const tasks::CountingOptions& options, const Frame& frame);

}  // namespace starhist::driver
