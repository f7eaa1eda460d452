#pragma once

#include "driver/run/trajectory_run.hh"

namespace starhist::driver {

/// The provenance that is known before a run counts: program, inputs, options, workers,
/// kernels.
io::RunRecord first_provenance(const TrajectoryRunSpec& spec,
                               const io::TrajectoryInfo& info,
                               const tasks::Runtime& runtime);

/// What is known after it.
io::RunRecord last_provenance(const RunResult& result);

}  // namespace starhist::driver
