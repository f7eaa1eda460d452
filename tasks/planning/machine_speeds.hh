#pragma once

#include <cstdint>

namespace starhist::tasks {

/// How fast the workers of a machine evaluate pairs of one order of particles.
struct EvaluationSpeeds {
  double worker = 1e9;  ///< of a CPU worker [evaluated pairs/s, > 0]
  double gpu = 0.0;     ///< of a GPU, its streams together; 0 without GPUs
  bool known = true;    ///< measured on this machine; false: guessed, for some worker
};

/// The workers of a machine that count, and how fast they are with the pairs of a run.
struct MachineSpeeds {
  std::uint64_t workers = 1;             ///< CPU workers; 0 only beside GPUs
  std::uint64_t threads_per_worker = 1;  ///< of a CPU worker [>= 1]
  std::uint64_t gpus = 0;
  std::uint64_t streams_per_gpu = 1;  ///< each with replicas and scratch of its own
  /// Bytes that may be used on the GPU with least; 2^64 - 1: not limited.
  std::uint64_t gpu_memory = UINT64_MAX;
  EvaluationSpeeds any_order;  ///< every pair is evaluated
  /// Pairs of clusters out of range are not evaluated (Workload::cluster_cost_on_cpus,
  /// _on_gpus).
  EvaluationSpeeds spatial_order;
};

}  // namespace starhist::tasks
