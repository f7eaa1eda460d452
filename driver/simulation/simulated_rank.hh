#pragma once

#include "driver/run/run_summary.hh"
#include "driver/simulation/simulated_run.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::driver {

/// Counts what one of SimulatedRun::ranks equal ranks gets, the one that gets most.
/// Work units, messages and results of ranks take no time. `frames_ahead` as for
/// SimulatedFrames. Sets what count_frames() sets, of this rank alone.
RunResult count_as_one_rank(const SimulatedRun& run, tasks::Runtime& runtime,
                            std::uint64_t frames_ahead);

}  // namespace starhist::driver
