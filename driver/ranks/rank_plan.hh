#pragma once

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "driver/ranks/unit_cutter.hh"
#include "tasks/planning/counting_options.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::driver {

/// The options of one of `ranks` ranks [>= 1], which expects as many frames as the
/// others. `options` are those of the whole run.
tasks::CountingOptions options_of_rank(const tasks::CountingOptions& options,
                                       std::uint64_t ranks);

/// The frames of a run for its work units, planned with the runtime of one rank. All
/// frames are expected to be like `frame`. Throws InputError if the run does not fit
/// into memory.
RankedFrames ranked_frames(tasks::Runtime& runtime, const HistogramLayout& layout,
                           const PairExclusions& exclusions,
                           const tasks::CountingOptions& options,
                           const RankWeights& weights, const Frame& frame);

}  // namespace starhist::driver
