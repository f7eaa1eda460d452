#include "tasks/planning/cluster_estimate.hh"

#include "codelets/kernels/clusters/spatial_order.hh"
#include "codelets/sort_positions_cuda.hh"

namespace starhist::tasks {
namespace {

double seconds_to_sort(const Frame& frame, const CountingSpeeds& speeds) {
  double particles = 0.0;
  for (const auto& positions : frame.positions) {
    particles += static_cast<double>(positions.size()) / 3.0;
  }
  return speeds.by_gpus ? codelets::gpu_seconds_to_sort_a_particle * particles
                        : kernels::seconds_to_sort_a_particle * particles /
                              static_cast<double>(speeds.workers);
}

}  // namespace

ClusterEstimate estimate_clusters(const HistogramLayout& layout, const Frame& frame,
                                  const CountingSpeeds& speeds) {
  const auto pairs = static_cast<double>(pair_count(layout, frame));
  ClusterEstimate estimate;
  if (pairs == 0.0) {
    return estimate;
  }
  const double any_order = pairs / speeds.any_order;
  const double clustered = pairs / speeds.spatial_order;
  estimate.speedup = any_order / clustered;
  const double surely = speeds.by_gpus ? 0.9 : 0.8;
  estimate.worth_while =
      seconds_to_sort(frame, speeds) + clustered < surely * any_order;
  return estimate;
}

}  // namespace starhist::tasks
