#pragma once

#include <cstdint>

namespace starhist::tasks {

/// What is known of a run when its first frame arrives.
struct WorkEstimate {
  std::uint64_t pairs_per_frame = 0;  ///< of all selected species pairs
  std::uint64_t pair_kinds = 1;       ///< number of selected species pairs
  std::uint64_t frames = 0;           ///< in the whole run
  std::uint64_t frames_per_block = 100;
  std::uint64_t particles = 0;  ///< of one frame
  std::uint64_t bins = 0;
  std::uint64_t workers = 1;  ///< on CPUs
  std::uint64_t threads_per_worker = 1;
  std::uint64_t gpus = 0;
  std::uint64_t streams_per_gpu = 1;  ///< each with replicas and scratch of its own
  /// Pairs per second of a CPU worker, and of a GPU; with clusters, those that are out
  /// of range together included.
  double worker_speed = 1e9;
  double gpu_speed = 0.0;
  double cost = 1.0;         ///< with clusters, ClusterCost::work on CPUs, on average
  bool clustered = false;    ///< particles are to be in spatial order
  bool speeds_known = true;  ///< measured, not guessed
  std::uint64_t gpu_memory = UINT64_MAX;  ///< bytes of the smallest GPU
};

/// Sizes of the pieces in which a run is worked on.
struct BatchPlan {
  std::uint64_t most_pairs_per_task = 0;  ///< a larger species pair is split
  /// With GPUs: the same for their tasks, and the share of the pairs that CPUs are to
  /// count, in tasks of most_pairs_per_task. 0 without GPUs.
  std::uint64_t most_pairs_per_gpu_task = 0;
  double cpu_share = 0.0;
  /// So many last frames are left to GPUs, which would wait for CPU tasks in the end.
  std::uint64_t last_frames_for_gpus = 0;
  bool gpus_only = false;  ///< these have come
  bool clustered = false;
  std::uint64_t frames_per_batch = 1;   ///< small frames share their tasks
  std::uint64_t batches_in_flight = 2;  ///< submitted, of use to any worker
  /// And so many more of which only tasks for CPUs beside GPUs are left.
  std::uint64_t batches_of_cpus = 0;
  std::uint64_t open_blocks = 2;  ///< blocks whose counts are in memory
  std::uint64_t bytes = 0;        ///< memory that all this takes
};

/// The share of the pairs that CPU workers are to count beside GPUs: as their speed is,
/// less while that is only guessed.
double cpu_share(const WorkEstimate& work);

/// Chooses the sizes: tasks of a millisecond or more, so that StarPU's 10 to 20
/// microseconds per task do not count; yet so many that the workers end together; and
/// enough of them in flight to keep every worker busy, within `memory_bytes`. A GPU
/// gets tasks of some milliseconds that fill it, CPU workers beside it tasks that a
/// core finishes in about the same time, as many as fit its speed.
/// `most_pairs_per_task` overrides the choice unless 0. Throws InputError when even the
/// smallest plan needs more memory.
BatchPlan plan_batches(const WorkEstimate& work, std::uint64_t memory_bytes,
                       std::uint64_t most_pairs_per_task);

}  // namespace starhist::tasks
