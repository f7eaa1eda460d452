#pragma once

#include <cstdint>
#include <optional>

#include "tasks/runtime/runtime.hh"

namespace starhist::tasks {

/// Largest numbers of workers that shorten a run; -1: all.
struct NeededWorkers {
  int cpu_workers = -1;
  int gpus = -1;
  int cpu_workers_beside_gpus = -1;
};

/// Weighs the time that workers take to start against the time that they save, for a
/// run of `pairs` pairs (>= 0) in `frames` frames (>= 1) on `cores` cores (>= 1).
/// `gpus_expected`: the machine may have GPUs.
///
/// The processors are not known yet, so they are assumed to be slow: a run that starts
/// too few workers on a slow machine would lose more than one that starts too many.
NeededWorkers needed_workers(double pairs, double frames, int cores,
                             bool gpus_expected);

/// Settings with the workers that a run of `pairs` pairs in `frames` frames needs.
/// Does not start CUDA.
/// All workers if the number of pairs is unknown, with teams, and if one of STARPU's
/// variables chooses workers.
StarpuSettings settings_for_run(CpuMode mode, std::optional<double> pairs,
                                std::uint64_t frames);

}  // namespace starhist::tasks
