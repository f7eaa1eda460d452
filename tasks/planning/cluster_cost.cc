#include "tasks/planning/cluster_cost.hh"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "codelets/kernels/bounds.hh"
#include "codelets/kernels/clusters/cluster_boxes.hh"

namespace starhist::tasks {
namespace {

double volume_between(const kernels::Bounds& bounds) {
  const Vec3 extent = bounds.high - bounds.low;
  return extent.x * extent.y * extent.z;
}

double volume_of(const Frame& frame) {
  if (frame.box.has_volume()) {
    return frame.box.volume();
  }
  kernels::Bounds bounds;
  if (frame.on_gpu) {
    for (const GpuPositions::Extent& extent : frame.on_gpu->extents) {
      bounds.add({extent.low, extent.high});
    }
    return volume_between(bounds);
  }
  // Of some, as it takes milliseconds for a million.
  constexpr std::size_t together = 64;
  constexpr std::size_t all_of = 1U << 16U;
  for (const auto& positions : frame.positions) {
    const std::size_t count = positions.size() / 3;
    const std::size_t step = (1U + count / all_of) * together;
    for (std::size_t begin = 0; begin < count; begin += step) {
      bounds.add({positions.data(), count}, begin, std::min(begin + together, count));
    }
  }
  return volume_between(bounds);
}

/// Volume within r of a cube with edges of 2 w: where the centre of another cluster may
/// be.
double extent_volume(double r, double w) {
  constexpr double pi = std::numbers::pi;
  const double edge = 2.0 * w;
  return edge * edge * edge + 6.0 * edge * edge * r + 3.0 * pi * edge * r * r +
         4.0 / 3.0 * pi * r * r * r;
}

/// Share of the near pairs of particles in spatial order whose first one is among the
/// first share `x` of the particles. Near pairs are at most `reach` apart along the
/// axis on which the order is slowest, as a share of the cell (0, 0.5]. In a periodic
/// cell the last particles are near the first ones, which then have more near ones
/// behind them.
double near_pairs_before(double x, double reach, bool periodic) {
  // Integral of the share of near particles that are behind one at x: 1/2 in the
  // middle, from 1 down to it within `reach` of a periodic begin, down to 0 towards the
  // end.
  const double at_begin = periodic ? 0.25 * reach : 0.0;
  double sum = periodic && x < reach ? x - x * x / (4.0 * reach) : at_begin + 0.5 * x;
  const double rest = reach - (1.0 - x);
  if (rest > 0.0) {
    sum -= rest * rest / (4.0 * reach);
  }
  return sum / (at_begin + 0.5 - 0.25 * reach);
}

/// Particles per pair of two species, or of one with itself.
double particles_of_a_pair(std::size_t first, std::size_t second) {
  return 1.0 / static_cast<double>(first) + 1.0 / static_cast<double>(second);
}

}  // namespace

ClusterCostModel::ClusterCostModel(const Frame& frame, double r_max)
    : geometry_(perfmodels::geometry_of(frame.box, r_max)),
      r_max_(r_max),
      volume_(volume_of(frame)),
      periodic_(frame.box.has_volume()) {}

/// Widths fit the shares measured for r_max from 0.3 to 3 cluster widths.
ClusterCostModel::Costs ClusterCostModel::costs_of(std::size_t columns,
                                                   bool by_gpus) const {
  if (by_gpus) {
    return {32, 32, 1.07, 0.0005, 1.2, gpu_cost_of_a_particle};
  }
  if (geometry_ == perfmodels::Geometry::triclinic_far) {
    const kernels::ClusterSizes sizes = kernels::image_cluster_sizes(columns);
    return {sizes.rows, sizes.columns, 1.14, 0.01, 0.7, 0.0};
  }
  return {kernels::row_cluster_size, kernels::cluster_size, 1.14, 0.01, 0.0, 0.0};
}

double ClusterCostModel::width_of(const Costs& costs, std::size_t first,
                                  std::size_t second) const {
  const auto half_width = [&](std::size_t cluster, std::size_t particles) {
    return 0.5 * costs.width *
           std::cbrt(static_cast<double>(cluster) * volume_ /
                     static_cast<double>(particles));
  };
  return half_width(costs.rows, first) + half_width(costs.columns, second);
}

/// Near pairs of a like pair that have their row in `rows`, in all pairs that have; 1
/// on average over all rows. Few near pairs are behind the last rows.
double ClusterCostModel::near_pairs(const RowRange& rows, std::size_t count) const {
  const double width = width_of(costs_of(count, false), count, count);
  const double reach = std::min((r_max_ + width) / std::cbrt(volume_), 0.5);
  const auto before = [&](std::uint64_t row) {
    return near_pairs_before(static_cast<double>(row) / static_cast<double>(count),
                             reach, periodic_);
  };
  const double pairs = static_cast<double>(pairs_before(rows.end, count, true) -
                                           pairs_before(rows.begin, count, true)) /
                       static_cast<double>(pairs_before(count, count, true));
  return (before(rows.end) - before(rows.begin)) / pairs;
}

ClusterCost ClusterCostModel::of(std::size_t first, std::size_t second,
                                 bool by_gpus) const {
  if (first == 0 || second == 0 || volume_ <= 0.0) {
    return {};
  }
  const Costs costs = costs_of(second, by_gpus);
  const double width = width_of(costs, first, second);
  ClusterCost cost;
  cost.evaluated = std::min(extent_volume(r_max_, width) / volume_, 1.0);
  // A face of the cell, and so another image, is within reach of clusters `width` away;
  // 27 at most.
  const double extent = std::min(width / std::cbrt(volume_), 1.0);
  const double images = periodic_ ? std::pow(1.0 + 2.0 * extent, 3.0) : 1.0;
  cost.work = cost.evaluated * std::pow(images, costs.images) + costs.look +
              costs.prepare * particles_of_a_pair(first, second);
  return cost;
}

ClusterCost ClusterCostModel::of(const HistogramLayout& layout, const Frame& frame,
                                 bool by_gpus) const {
  double pairs = 0.0;
  ClusterCost sum{0.0, 0.0};
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    const auto own = static_cast<double>(pair_count(layout, frame, PairId(p)));
    const ClusterCost cost = of(frame.particle_count(layout.pairs[p].first),
                                frame.particle_count(layout.pairs[p].second), by_gpus);
    pairs += own;
    sum.evaluated += own * cost.evaluated;
    sum.work += own * cost.work;
  }
  return pairs > 0.0 ? ClusterCost{sum.evaluated / pairs, sum.work / pairs}
                     : ClusterCost{};
}

void ClusterCostModel::set_evaluated(perfmodels::PairKind kind, std::size_t first,
                                     std::size_t second, perfmodels::WorkSize& size,
                                     std::optional<RowRange> rows) const {
  const std::uint64_t pairs_of_a_frame =
      pairs_before(first, second, kind == perfmodels::PairKind::like);
  // Tasks that share a frame do the same for its particles.
  const double tasks_of_a_frame =
      static_cast<double>(size.frame_count * pairs_of_a_frame) /
      static_cast<double>(std::max<std::uint64_t>(size.pairs, 1));
  const auto evaluated = [&](bool by_gpus) {
    double work = of(first, second, by_gpus).work;
    if (first > 0 && second > 0 && tasks_of_a_frame > 1.0) {
      work += (tasks_of_a_frame - 1.0) * costs_of(second, by_gpus).prepare *
              particles_of_a_pair(first, second);
    }
    if (rows && first > 1 && volume_ > 0.0 && !by_gpus) {
      const double look = costs_of(second, by_gpus).look;
      work = look + (work - look) * near_pairs(*rows, first);
    }
    return std::max<std::uint64_t>(
        static_cast<std::uint64_t>(work * static_cast<double>(size.pairs)), 1);
  };
  size.evaluated = evaluated(false);
  size.evaluated_by_gpu = evaluated(true);
}

}  // namespace starhist::tasks
