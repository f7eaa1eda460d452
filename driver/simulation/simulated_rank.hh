#pragma once

#include "driver/run/run_summary.hh"
#include "driver/simulation/simulated_run.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::driver {

/// Counts the share of one of SimulatedRun::ranks equal ranks, the one with most work.
/// Work units, messages and results of ranks take no time. `frames_ahead`: see
/// SimulatedFrames. Sets the fields that count_frames() sets, for this rank only.
RunResult count_as_one_rank(const SimulatedRun& run, tasks::Runtime& runtime,
                            std::uint64_t frames_ahead);

}  // namespace starhist::driver
