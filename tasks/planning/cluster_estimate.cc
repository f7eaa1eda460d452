#include "tasks/planning/cluster_estimate.hh"

#include "tasks/planning/counting_speeds.hh"

namespace starhist::tasks {
namespace {

double seconds_to_count(const CountingSpeeds& speeds, double pairs) {
  return pairs / (speeds.gpus > 0 ? speeds.of_gpus() : speeds.of_cpus());
}

}  // namespace

ClusterEstimate estimate_clusters(const MachineSpeeds& machine, const Workload& work) {
  ClusterEstimate estimate;
  if (work.pairs_per_frame == 0) {
    return estimate;
  }
  const CountingSpeeds any = counting_speeds(machine, work, perfmodels::Order::any);
  const CountingSpeeds spatial =
      counting_speeds(machine, work, perfmodels::Order::spatial);
  const auto pairs = static_cast<double>(work.pairs_per_frame);
  const double any_order = seconds_to_count(any, pairs);
  const double clustered = seconds_to_count(spatial, pairs);
  estimate.speedup = any_order / clustered;
  const double surely = machine.gpus > 0 ? 0.9 : 0.8;
  estimate.worth_while = spatial.seconds_to_sort(work) + clustered < surely * any_order;
  return estimate;
}

}  // namespace starhist::tasks
