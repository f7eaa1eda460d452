#pragma once

#include "tasks/planning/machine_speeds.hh"
#include "tasks/planning/workload.hh"

namespace starhist::tasks {

/// What clusters would save.
struct ClusterEstimate {
  /// Time to count all pairs without clusters, over that with them, both without
  /// sorting [> 0].
  double speedup = 1.0;
  /// True if that saves surely more than bringing the particles into spatial order
  /// costs: 20 % of the time on CPUs, 10 % on GPUs.
  bool worth_while = false;
};

/// By the speeds of GPUs where there are any, else of CPU workers. Without a pair
/// clusters save nothing.
ClusterEstimate estimate_clusters(const MachineSpeeds& machine, const Workload& work);

}  // namespace starhist::tasks
