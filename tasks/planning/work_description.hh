#pragma once

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "tasks/planning/batch_plan.hh"
#include "tasks/planning/counting_options.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::tasks {

/// Sets the workers of `work`, and how fast they are with the largest species pair,
/// those that clusters leave out together included.
void describe_workers(Runtime& runtime, const HistogramLayout& layout,
                      const Frame& frame, perfmodels::Order order, WorkEstimate& work);

/// What is to be done, as far as the first frame shows it, clusters or not included.
WorkEstimate describe_work(Runtime& runtime, const HistogramLayout& layout,
                           const PairExclusions& exclusions,
                           const CountingOptions& options, const Frame& frame);

}  // namespace starhist::tasks
