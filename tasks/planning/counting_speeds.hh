#pragma once

#include <cstdint>

#include "perfmodels/work_class.hh"
#include "tasks/planning/machine_speeds.hh"
#include "tasks/planning/workload.hh"

namespace starhist::tasks {

/// The workers that count a workload, and how fast they count it in one order of
/// particles. Speeds are in pairs per second, those that clusters leave out together
/// included.
struct CountingSpeeds {
  perfmodels::Order order = perfmodels::Order::any;
  std::uint64_t workers = 1;  ///< CPU workers
  std::uint64_t gpus = 0;
  double worker = 1e9;  ///< of a CPU worker
  double gpu = 0.0;     ///< of a GPU; 0 without
  bool known = true;    ///< false: guessed
  /// Evaluated pairs on CPUs, per pair (Workload::cluster_cost_on_cpus); 1 in any
  /// order.
  double cost = 1.0;

  double of_cpus() const { return static_cast<double>(workers) * worker; }
  double of_gpus() const { return static_cast<double>(gpus) * gpu; }
  bool clustered() const { return order == perfmodels::Order::spatial; }
  /// Seconds in which a frame's particles are sorted into clusters, by all GPUs where
  /// there are as many frames, or by all CPU workers.
  double seconds_to_sort(const Workload& work) const;
};

/// In a given order.
CountingSpeeds counting_speeds(const MachineSpeeds& machine, const Workload& work,
                               perfmodels::Order order);

/// In the order in which a run counts: the one that Workload::clusters asks for, or if
/// that is automatic, the one that is expected to be faster (ClusterEstimate).
CountingSpeeds counting_speeds(const MachineSpeeds& machine, const Workload& work);

/// Seconds that all frames are expected to take, sorting included and reading not. 0
/// where the number of frames is not known.
double predicted_seconds(const CountingSpeeds& speeds, const Workload& work);

}  // namespace starhist::tasks
