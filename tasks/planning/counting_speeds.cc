#include "tasks/planning/counting_speeds.hh"

#include <algorithm>

#include "codelets/kernels/clusters/spatial_order.hh"
#include "tasks/planning/labelled_plan.hh"

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

CountingSpeeds counting_speeds(const MachineSpeeds& machine, const Workload& work,
                               perfmodels::Order order) {
  CountingSpeeds speeds;
  speeds.order = order;
  speeds.workers = machine.workers;
  speeds.gpus = machine.gpus;
  if (work.only_within_compounds) {
    speeds.gpus = 0;
    speeds.workers = std::max<std::uint64_t>(machine.workers, 1);
  }
  const EvaluationSpeeds& evaluation =
      speeds.clustered() ? machine.spatial_order : machine.any_order;
  speeds.worker = evaluation.worker;
  speeds.gpu = evaluation.gpu;
  speeds.worker_source = evaluation.worker_source;
  speeds.gpu_source = evaluation.gpu_source;
  speeds.gpu_seconds_to_sort = machine.seconds_to_sort_a_particle;
  if (speeds.clustered()) {
    speeds.cost = work.cluster_cost_on_cpus;
    speeds.worker /= work.cluster_cost_on_cpus;
    speeds.gpu /= work.cluster_cost_on_gpus;
  }
  return speeds;
}

CountingSpeeds counting_speeds(const MachineSpeeds& machine, const Workload& work) {
  const bool wanted = work.clusters == Clustering::automatic
                          ? estimate_clusters(machine, work).worth_while
                          : work.clusters == Clustering::on;
  return counting_speeds(machine, work,
                         wanted && !work.only_within_compounds
                             ? perfmodels::Order::spatial
                             : perfmodels::Order::any);
}

double CountingSpeeds::seconds_to_sort(const Workload& work) const {
  const double particle =
      gpus > 0 ? gpu_seconds_to_sort : kernels::seconds_to_sort_a_particle;
  // GPUs sort different frames; CPU workers share the slices of each frame.
  const std::uint64_t gpus_that_sort =
      work.frames > 0 ? std::min(gpus, work.frames) : gpus;
  const std::uint64_t sorting = gpus > 0 ? gpus_that_sort : workers;
  return particle * static_cast<double>(work.particles) /
         static_cast<double>(std::max<std::uint64_t>(sorting, 1));
}

double predicted_seconds(const CountingSpeeds& speeds, const Workload& work) {
  const double sorting = speeds.clustered() ? speeds.seconds_to_sort(work) : 0.0;
  const double counting =
      static_cast<double>(work.pairs_per_frame) / (speeds.of_cpus() + speeds.of_gpus());
  const double labelled =
      static_cast<double>(work.labelled_pairs_per_frame) * seconds_per_labelled_pair /
      static_cast<double>(std::max<std::uint64_t>(speeds.workers, 1));
  return static_cast<double>(work.frames) * (sorting + counting + labelled);
}

}  // namespace starhist::tasks
