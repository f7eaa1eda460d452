#pragma once

#include "driver/axes/particle_directions.hh"
#include "driver/run/counting_run.hh"
#include "driver/run/trajectory_run_spec.hh"

namespace starhist::driver {

/// Sets the number of bins of the second axis if it is not given. Throws InputError for
/// runs that cannot have one.
void complete_second_axis(TrajectoryRunSpec& spec, const io::TrajectoryInfo& info);

/// True if the range of separations along the normal of a plane is not given.
bool needs_second_range(const TrajectoryRunSpec& spec);
/// Sets this range to half the period in a frame. Throws InputError if the box is open
/// along the normal.
void complete_second_range(TrajectoryRunSpec& spec, const Frame& frame);

/// Counts all frames of `source` by distance and second axis. `vectors`: null unless
/// the axis is molecular. Throws like count_frames().
RunResult count_second_axis(FrameSource& source, tasks::Runtime& runtime,
                            const RunSpec& run, ParticleDirections* vectors,
                            const tasks::PairCounter::BlockSink& sink,
                            const RunHooks& hooks);

}  // namespace starhist::driver
