#include "tasks/planning/work_description.hh"

#include <algorithm>

#include "codelets/count_pairs_codelet.hh"
#include "tasks/planning/cluster_cost.hh"
#include "tasks/planning/cluster_estimate.hh"

namespace starhist::tasks {
namespace {

/// The kind of the species pair with most pairs.
perfmodels::PairKind main_kind(const HistogramLayout& layout, const Frame& frame) {
  perfmodels::PairKind kind = perfmodels::PairKind::like;
  std::uint64_t most = 0;
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    const std::uint64_t pairs = pair_count(layout, frame, PairId(p));
    if (pairs > most) {
      most = pairs;
      kind = layout.pairs[p].like() ? perfmodels::PairKind::like
                                    : perfmodels::PairKind::unlike;
    }
  }
  return kind;
}

/// Of those that count: GPUs if there are any.
double speed_of_all(const WorkEstimate& work) {
  return work.gpus > 0 ? static_cast<double>(work.gpus) * work.gpu_speed
                       : static_cast<double>(work.workers) * work.worker_speed;
}

}  // namespace

void describe_workers(Runtime& runtime, const HistogramLayout& layout,
                      const Frame& frame, perfmodels::Order order, WorkEstimate& work) {
  // In a task of usual size.
  constexpr double cpu_pairs = 1e8;
  constexpr double gpu_pairs = 8e9;
  const perfmodels::Geometry geometry =
      perfmodels::geometry_of(frame.box, layout.bins.r_max);
  const perfmodels::CountPairsModel& model =
      runtime.count_pairs(main_kind(layout, frame), geometry, order).model();
  work.workers = runtime.cpu_workers();
  work.gpus = runtime.gpus();
  work.streams_per_gpu = runtime.streams_per_gpu();
  work.speeds_known = (work.workers == 0 || model.known(STARPU_CPU_WORKER)) &&
                      (work.gpus == 0 || model.known(STARPU_CUDA_WORKER));
  work.worker_speed = cpu_pairs / model.seconds(STARPU_CPU_WORKER, 0, cpu_pairs);
  work.gpu_speed = static_cast<double>(work.streams_per_gpu) * gpu_pairs /
                   model.seconds(STARPU_CUDA_WORKER, 0, gpu_pairs);
  if (order == perfmodels::Order::spatial) {
    const ClusterCostModel cost_model(frame, layout.bins.r_max);
    work.cost = cost_model.of(layout, frame, false).work;
    work.worker_speed /= work.cost;
    work.gpu_speed /= cost_model.of(layout, frame, true).work;
  }
}

WorkEstimate describe_work(Runtime& runtime, const HistogramLayout& layout,
                           const PairExclusions& exclusions,
                           const CountingOptions& options, const Frame& frame) {
  WorkEstimate work;
  work.pair_kinds = layout.pairs.size();
  work.frames = options.frames;
  work.frames_per_block = options.frames_per_block;
  work.bins = layout.bins.count_from_zero();
  work.gpu_memory = runtime.gpu_memory();
  describe_workers(runtime, layout, frame, perfmodels::Order::any, work);
  work.threads_per_worker = static_cast<std::uint64_t>(runtime.threads_per_worker());
  work.pairs_per_frame = exclusions.work(layout, frame);
  for (const auto& positions : frame.positions) {
    work.particles += positions.size() / 3;
  }
  if (counts_only_same(layout.exclusion)) {
    work.gpus =
        0;  // CPU workers count them, without clusters, or the submitting thread
    work.workers = std::max<std::uint64_t>(work.workers, 1);
    return work;
  }
  WorkEstimate clustered = work;
  describe_workers(runtime, layout, frame, perfmodels::Order::spatial, clustered);
  const ClusterEstimate clusters = estimate_clusters(
      layout, frame,
      {speed_of_all(work), speed_of_all(clustered), work.gpus > 0, work.workers});
  const bool wanted = options.clusters == Clustering::automatic
                          ? clusters.worth_while
                          : options.clusters == Clustering::on;
  if (!wanted) {
    return work;
  }
  clustered.clustered = true;
  return clustered;
}

}  // namespace starhist::tasks
