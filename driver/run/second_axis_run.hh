#pragma once

#include "driver/axes/molecular_vectors.hh"
#include "driver/run/counting_run.hh"
#include "driver/run/trajectory_run_spec.hh"

namespace starhist::driver {

/// Sets the number of bins of the second axis if it is not given. Throws InputError for
/// runs that cannot have one.
void complete_second_axis(TrajectoryRunSpec& spec, const io::TrajectoryInfo& info);

/// Counts all frames of `source` by distance and second axis. `vectors`: null unless
/// the axis is molecular. Throws like count_frames().
RunResult count_second_axis(FrameSource& source, tasks::Runtime& runtime,
                            const RunSpec& run, MolecularVectors* vectors,
                            const tasks::PairCounter::BlockSink& sink,
                            const RunHooks& hooks);

}  // namespace starhist::driver
