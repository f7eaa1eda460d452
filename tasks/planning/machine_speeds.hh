#pragma once

#include <cstdint>

#include "perfmodels/gpu_speeds.hh"
#include "perfmodels/work_class.hh"

namespace starhist::tasks {

/// Speeds of a machine's workers in one order of particles.
struct EvaluationSpeeds {
  double worker = 1e9;  ///< speed of a CPU worker [evaluated pairs/s, > 0]
  double gpu = 0.0;     ///< speed of a GPU with all its streams; 0 without GPUs
  perfmodels::SpeedSource worker_source = perfmodels::SpeedSource::history;
  perfmodels::SpeedSource gpu_source = perfmodels::SpeedSource::history;
};

/// The counting workers of a machine, and their speeds for the pairs of a run.
struct MachineSpeeds {
  std::uint64_t workers = 1;             ///< CPU workers; 0 only with GPUs
  std::uint64_t threads_per_worker = 1;  ///< of a CPU worker [>= 1]
  std::uint64_t gpus = 0;
  std::uint64_t streams_per_gpu = 1;  ///< each with separate replicas and scratch
  /// Bytes available on the GPU with the least memory; 2^64 - 1: unlimited.
  std::uint64_t gpu_memory = UINT64_MAX;
  /// Time in which a GPU sorts particles into spatial order [s per particle, > 0].
  double seconds_to_sort_a_particle = perfmodels::gpu_seconds_to_sort_a_particle({});
  EvaluationSpeeds any_order;  ///< every pair is evaluated
  /// Distant pairs of clusters are not evaluated (Workload::cluster_cost_on_cpus,
  /// _on_gpus).
  EvaluationSpeeds spatial_order;
};

}  // namespace starhist::tasks
