#pragma once

#include "driver/run/trajectory_run.hh"

namespace starhist::driver {

/// The entries of the provenance that are known before a run counts: program, inputs,
/// options, workers, kernels.
io::RunRecord first_provenance(const TrajectoryRunSpec& spec,
                               const io::TrajectoryInfo& info,
                               const tasks::Runtime& runtime);

/// The entries that are known after the run: frames left out, pairs evaluated and
/// skipped.
io::RunRecord last_provenance(const RunResult& result);

}  // namespace starhist::driver
