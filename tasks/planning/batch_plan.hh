#pragma once

#include <cstdint>

#include "tasks/planning/counting_speeds.hh"
#include "tasks/planning/machine_speeds.hh"
#include "tasks/planning/workload.hh"

namespace starhist::tasks {

/// Sizes of the pieces in which a run is worked on.
struct BatchPlan {
  /// Pairs of a task, about; a species pair with more is split by rows [>= 1]. With
  /// GPUs only of those tasks that CPU workers get.
  std::uint64_t most_pairs_per_task = 0;
  std::uint64_t most_pairs_per_gpu_task = 0;  ///< the same for GPUs; 0: there are none
  /// Share of the pairs that CPU workers are to count beside GPUs [0, 1); 0: none, or
  /// there are no GPUs.
  double cpu_share = 0.0;
  /// Number of frames at the end of the run that only GPUs count, so that no GPU waits
  /// for a slower CPU task. 0: none.
  std::uint64_t last_frames_for_gpus = 0;
  bool clustered = false;              ///< particles are brought into spatial order
  std::uint64_t frames_per_batch = 1;  ///< at most; small frames share tasks [>= 1]
  /// Batches that may be submitted and not ended, at most [>= 1].
  std::uint64_t batches_in_flight = 2;
  /// Further batches, at most, for as many of which only tasks of CPU workers beside
  /// GPUs are left. 0 where cpu_share is.
  std::uint64_t batches_of_cpus = 0;
  std::uint64_t open_blocks = 2;  ///< blocks whose counts are in memory, at most [>= 1]
  std::uint64_t bytes = 0;        ///< main memory that all this takes, at most
};

/// Chooses the sizes. Tasks take a millisecond or more, so that StarPU's 10 to 20
/// microseconds per task do not count; yet there are enough that the workers end
/// together, and enough of them in flight to keep every worker busy. A GPU gets tasks
/// of some milliseconds that fill it, CPU workers beside it tasks that a core finishes
/// in about the same time, and as many as its share of the speed allows.
///
/// A pure function: it reads no clock, no environment and no device.
/// `memory_bytes` is for all of the run in main memory. `most_pairs_per_task` replaces
/// the chosen sizes of all tasks unless it is 0. Throws InputError when even the
/// smallest plan needs more main memory, or more than machine.gpu_memory on a GPU.
BatchPlan plan_batches(const MachineSpeeds& machine, const Workload& work,
                       std::uint64_t memory_bytes, std::uint64_t most_pairs_per_task);

}  // namespace starhist::tasks
