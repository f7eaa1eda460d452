#pragma once

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

}  // namespace starhist::tasks
