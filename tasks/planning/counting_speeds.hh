#pragma once

#include <cstdint>

#include "perfmodels/work_class.hh"
#include "tasks/planning/machine_speeds.hh"
#include "tasks/planning/workload.hh"

namespace starhist::tasks {

/// Estimated gain from clusters.
struct ClusterEstimate {
  /// Time to count all pairs without clusters divided by the time with them, both
  /// without sorting [> 0].
  double speedup = 1.0;
  /// True if clusters certainly save more than sorting into spatial order costs: 20 %
  /// of the time on CPUs, 10 % on GPUs.
  bool worth_while = false;
};

/// Estimates from the speeds of GPUs if there are any, otherwise of CPU workers.
/// Without pairs clusters save nothing.
ClusterEstimate estimate_clusters(const MachineSpeeds& machine, const Workload& work);

/// The workers that count a workload, and their speeds in one order of particles.
/// Speeds are in pairs per second and include the pairs that clusters skip.
struct CountingSpeeds {
  perfmodels::Order order = perfmodels::Order::any;
  std::uint64_t workers = 1;  ///< CPU workers
  std::uint64_t gpus = 0;
  double worker = 1e9;  ///< speed of a CPU worker
  double gpu = 0.0;     ///< speed of a GPU; 0 without GPUs
  perfmodels::SpeedSource worker_source = perfmodels::SpeedSource::history;
  perfmodels::SpeedSource gpu_source = perfmodels::SpeedSource::history;
  /// Time in which a GPU sorts particles [s per particle, > 0].
  double gpu_seconds_to_sort = perfmodels::gpu_seconds_to_sort_a_particle({});
  /// Evaluated pairs on CPUs per pair (Workload::cluster_cost_on_cpus); 1 without
  /// clusters.
  double cost = 1.0;

  double of_cpus() const { return static_cast<double>(workers) * worker; }
  double of_gpus() const { return static_cast<double>(gpus) * gpu; }
  /// True if the speeds of all workers that count were measured for this work.
  bool known() const {
    return (workers == 0 || perfmodels::is_measured(worker_source)) &&
           (gpus == 0 || perfmodels::is_measured(gpu_source));
  }
  bool clustered() const { return order == perfmodels::Order::spatial; }
  /// Time in which all GPUs, if there are as many frames, or all CPU workers sort a
  /// frame's particles into clusters [s].
  double seconds_to_sort(const Workload& work) const;
};

/// Speeds in a given order.
CountingSpeeds counting_speeds(const MachineSpeeds& machine, const Workload& work,
                               perfmodels::Order order);

/// Speeds in the order in which a run counts: the order that Workload::clusters
/// requests, or the one expected to be faster if that is automatic (ClusterEstimate).
CountingSpeeds counting_speeds(const MachineSpeeds& machine, const Workload& work);

/// Predicted time of all frames, including sorting but not reading [s]. 0 if the number
/// of frames is unknown.
double predicted_seconds(const CountingSpeeds& speeds, const Workload& work);

}  // namespace starhist::tasks
