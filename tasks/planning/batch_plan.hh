#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codelets/kernels/bounds.hh"
#include "tasks/planning/counting_speeds.hh"
#include "tasks/planning/machine_speeds.hh"
#include "tasks/planning/workload.hh"

namespace starhist::tasks {

/// Axis-parallel boxes around positions: [frame][species]. A species without particles
/// has an empty box.
using BatchBounds = std::vector<std::vector<kernels::Bounds>>;

/// Sizes of tasks, batches and blocks in flight.
struct BatchPlan {
  /// Approximate number of pairs of a task; a species pair with more is split by rows
  /// [>= 1]. With GPUs it applies only to the tasks of CPU workers.
  std::uint64_t most_pairs_per_task = 0;
  std::uint64_t most_pairs_per_gpu_task = 0;  ///< for GPU tasks; 0: no GPUs
  /// Share of the pairs that CPU workers are to count alongside GPUs [0, 1). 0: none,
  /// or no GPUs.
  double cpu_share = 0.0;
  /// Number of frames at the end of the run that only GPUs count, so that no GPU waits
  /// for a slower CPU task. 0: none.
  std::uint64_t last_frames_for_gpus = 0;
  bool clustered = false;              ///< particles are sorted into spatial order
  std::uint64_t frames_per_batch = 1;  ///< maximum; small frames share tasks [>= 1]
  /// Maximum number of batches that are submitted and not ended [>= 1].
  std::uint64_t batches_in_flight = 2;
  /// Maximum number of additional batches in flight, one for each batch of which only
  /// CPU tasks alongside GPUs are left. 0 if cpu_share is 0.
  std::uint64_t batches_of_cpus = 0;
  std::uint64_t open_blocks = 2;  ///< maximum of blocks with counts in memory [>= 1]
  std::uint64_t bytes = 0;        ///< main memory of the plan, at most
};

/// Chooses the sizes. Tasks take a millisecond or more, so that StarPU's overhead of 10
/// to 20 microseconds per task is negligible; yet there are enough of them for the
/// workers to finish together, and enough in flight to keep every worker busy. A GPU
/// gets tasks of some milliseconds that fill it. CPU workers alongside it get tasks
/// that a core finishes in about the same time, in number according to their share of
/// the speed.
///
/// A pure function: it reads no clock, no environment and no device. `memory_bytes`
/// limits the main memory of the whole run. `most_pairs_per_task` replaces the chosen
/// sizes of all tasks unless it is 0. Throws InputError if even the smallest plan needs
/// more main memory, or more than machine.gpu_memory on a GPU.
BatchPlan plan_batches(const MachineSpeeds& machine, const Workload& work,
                       std::uint64_t memory_bytes, std::uint64_t most_pairs_per_task);

/// The plan that replaces `plan` once tasks of this run have measured the speed of the
/// GPUs: in the same order of particles, with task sizes for that speed. Empty before
/// that, without GPUs, and if a history had the speed from the start. The other
/// arguments are as for plan_batches().
std::optional<BatchPlan> plan_with_measured_speeds(const BatchPlan& plan,
                                                   const MachineSpeeds& machine,
                                                   Workload work,
                                                   std::uint64_t memory_bytes,
                                                   std::uint64_t most_pairs_per_task);

}  // namespace starhist::tasks
