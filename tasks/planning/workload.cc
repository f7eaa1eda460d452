#include "tasks/planning/workload.hh"

#include <algorithm>
#include <cmath>

#include "tasks/planning/cluster_cost.hh"
#include "tasks/planning/labelled_plan.hh"

namespace starhist::tasks {
namespace {

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

}  // namespace

Workload workload_of(const HistogramLayout& layout, const PairExclusions& exclusions,
                     const CountingOptions& options, const Frame& frame,
                     const LabelledPairs& labels) {
  Workload work;
  work.labelled_pairs_per_frame = pair_count(layout, frame, labels);
  work.labelled_species_pairs = static_cast<std::uint64_t>(
      std::count(labels.labelled.begin(), labels.labelled.end(), true));
  work.labelled_groups = labels.groups.size();
  work.pairs_per_frame = exclusions.work(layout, frame) - work.labelled_pairs_per_frame;
  work.species_pairs = layout.pairs.size() - work.labelled_species_pairs;
  work.frames = options.frames;
  work.frames_per_block = options.expected_in_block > 0 ? options.expected_in_block
                                                        : options.frames_per_block;
  work.particles = frame.particle_count();
  work.on_gpu = frame.on_gpu != nullptr;
  work.bins = layout.bins.count_from_zero();
  work.only_on_cpus = !layout.bins.uniform();
  work.kind = main_kind(layout, frame);
  work.geometry = perfmodels::geometry_of(frame.box, layout.bins);
  work.clusters = options.clusters;
  work.only_within_compounds = counts_only_same(layout.exclusion);
  if (!work.only_within_compounds) {
    const ClusterCostModel cost_model(frame, layout.bins.r_max);
    work.cluster_cost_on_cpus = cost_model.of(layout, frame, false).work;
    work.cluster_cost_on_gpus = cost_model.of(layout, frame, true).work;
  }
  return work;
}

TaskSize typical_gpu_task(const Workload& work, perfmodels::Order order) {
  const bool spatial = order == perfmodels::Order::spatial;
  const double pairs_of_a_batch = spatial ? 5e10 : 8e9;
  const double cost_of_a_pair = spatial ? work.cluster_cost_on_gpus : 1.0;
  const double frame = cost_of_a_pair * static_cast<double>(work.pairs_per_frame);
  if (frame <= 0.0) {
    return {pairs_of_a_batch, 1};
  }
  const std::uint64_t most =
      std::min(work.frames > 0 ? work.frames : UINT64_MAX,
               std::max<std::uint64_t>(work.frames_per_block, 1));
  const double frames =
      std::clamp(pairs_of_a_batch / frame, 1.0, static_cast<double>(most));
  const double of_two_species =
      frame / static_cast<double>(std::max<std::uint64_t>(work.species_pairs, 1));
  return {std::floor(frames) * std::min(of_two_species, pairs_of_a_batch),
          static_cast<std::uint32_t>(frames)};
}

}  // namespace starhist::tasks
