#pragma once

#include <iosfwd>

#include "codelets/core/frame.hh"
#include "codelets/core/histogram.hh"
#include "codelets/core/pair_exclusions.hh"
#include "tasks/counting_options.hh"
#include "tasks/runtime.hh"

namespace starhist {

/// Tells how a run would be worked on, judging by its first frame: what tiles make of
/// the pairs (exactly, for that frame), whether they are used, sizes of tasks, and the
/// time that all of it is expected to take.
void explain(std::ostream& out, Runtime& runtime, const HistogramLayout& layout,
             const PairExclusions& exclusions, const CountingOptions& options,
             const Frame& frame);

}  // namespace starhist
