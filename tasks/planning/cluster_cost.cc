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

/// Boxes around all positions, or around a sample of about 65 000 per species: reading
/// all of a million positions takes milliseconds.
kernels::Bounds bounds_of(const Frame& frame) {
  kernels::Bounds bounds;
  if (frame.on_gpu) {
    for (const GpuPositions::Extent& extent : frame.on_gpu->extents) {
      bounds.add({extent.low, extent.high});
    }
    return bounds;
  }
  constexpr std::size_t together = 64;
  constexpr std::size_t all_of = 1U << 16U;
  for (const auto& positions : frame.positions) {
    const std::size_t count = positions.size() / 3;
    const std::size_t step = (1U + count / all_of) * together;
    for (std::size_t begin = 0; begin < count; begin += step) {
      bounds.add({positions.data(), count}, begin, std::min(begin + together, count));
    }
  }
  return bounds;
}

/// Volume of the points within r of a cube with edges 2 w: possible centres of another
/// cluster.
double extent_volume(double r, double w) {
  constexpr double pi = std::numbers::pi;
  const double edge = 2.0 * w;
  return edge * edge * edge + 6.0 * edge * edge * r + 3.0 * pi * edge * r * r +
         4.0 / 3.0 * pi * r * r * r;
}

/// Area of the points within r of a square with edges 2 w.
double extent_area(double r, double w) {
  const double edge = 2.0 * w;
  return edge * edge + 4.0 * edge * r + std::numbers::pi * r * r;
}

/// Particles per pair of two species, or of one with itself.
double particles_of_a_pair(std::size_t first, std::size_t second) {
  return 1.0 / static_cast<double>(first) + 1.0 / static_cast<double>(second);
}

}  // namespace

ClusterCostModel::ClusterCostModel(const Frame& frame, double r_max) : r_max_(r_max) {
  set_frame(frame);
}

void ClusterCostModel::set_frame(const Frame& frame) {
  far_ = perfmodels::is_far(frame.box, r_max_);
  periodic_ = frame.box.has_volume();
  planar_ = frame.box.is_planar();
  image_ = frame.box.minimum_image();
  if (!periodic_ || planar_) {
    bounds_ = bounds_of(frame);
  }
  volume_ = periodic_ ? frame.box.volume() : volume_between(bounds_);
}

/// The widths were fitted to shares measured for r_max of 0.3 to 3 cluster widths.
ClusterCostModel::Costs ClusterCostModel::costs_of(std::size_t columns,
                                                   bool by_gpus) const {
  if (by_gpus) {
    return {32, 32, 1.07, 0.0005, 1.2, gpu_cost_of_a_particle};
  }
  if (far_) {
    const kernels::ClusterSizes sizes = kernels::image_cluster_sizes(columns);
    return {sizes.rows, sizes.columns, 1.14, 0.01, 0.7, 0.0};
  }
  return {kernels::row_cluster_size, kernels::cluster_size, 1.14, 0.01, 0.0, 0.0};
}

double ClusterCostModel::side_of(double volume) const {
  return planar_ ? std::sqrt(volume) : std::cbrt(volume);
}

double ClusterCostModel::width_of(const Costs& costs, std::size_t first,
                                  std::size_t second) const {
  const auto half_width = [&](std::size_t cluster, std::size_t particles) {
    return 0.5 * costs.width *
           side_of(static_cast<double>(cluster) * volume_ /
                   static_cast<double>(particles));
  };
  return half_width(costs.rows, first) + half_width(costs.columns, second);
}

/// Reuses the result for a similar number and density of particles.
const NearPairsByRow& ClusterCostModel::near_pairs_by_row(std::size_t count,
                                                          bool by_gpus) {
  constexpr double alike = 0.02;
  constexpr std::size_t most_known = 64;
  const auto is_alike = [&](double a, double b) {
    return std::abs(a - b) <= alike * b;
  };
  for (const KnownRows& known : known_rows_) {
    if (is_alike(static_cast<double>(count), static_cast<double>(known.count)) &&
        is_alike(volume_, known.volume) && known.by_gpus == by_gpus) {
      return known.near_pairs;
    }
  }
  if (known_rows_.size() == most_known) {
    known_rows_.clear();
  }
  const Costs costs = costs_of(count, by_gpus);
  const auto axes =
      by_gpus ? kernels::ClusterAxes::cartesian : kernels::ClusterAxes::lattice;
  known_rows_.push_back(
      {count,
       volume_,
       by_gpus,
       {image_, bounds_, count, {costs.rows, costs.columns}, r_max_, axes}});
  return known_rows_.back().near_pairs;
}

/// Near pairs of a like pair whose row is in `rows`, relative to all pairs in these
/// rows, normalised to 1 on average over all rows.
double ClusterCostModel::near_pairs(const RowRange& rows, std::size_t count,
                                    bool by_gpus) {
  const NearPairsByRow& shares = near_pairs_by_row(count, by_gpus);
  const auto before = [&](std::uint64_t row) {
    return shares.before(static_cast<double>(row) / static_cast<double>(count));
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
  const double near =
      planar_ ? extent_area(r_max_, width) : extent_volume(r_max_, width);
  cost.evaluated = std::min(near / volume_, 1.0);
  // Probability that a face of the cell, and thus another image, is within reach of
  // clusters `width` away; at most 27 images.
  const double extent = std::min(width / side_of(volume_), 1.0);
  const double images =
      periodic_ ? std::pow(1.0 + 2.0 * extent, planar_ ? 2.0 : 3.0) : 1.0;
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
                                     std::optional<RowRange> rows, bool for_cpus,
                                     bool for_gpus) {
  const std::uint64_t pairs_of_a_frame =
      pairs_before(first, second, kind == perfmodels::PairKind::like);
  // Tasks that share a frame repeat the preparation of its particles.
  const double tasks_of_a_frame =
      static_cast<double>(size.frame_count * pairs_of_a_frame) /
      static_cast<double>(std::max<std::uint64_t>(size.pairs, 1));
  const auto evaluated = [&](bool by_gpus) {
    const ClusterCost cost = of(first, second, by_gpus);
    if (first == 0 || second == 0) {
      return std::max<std::uint64_t>(size.pairs, 1);
    }
    const Costs costs = costs_of(second, by_gpus);
    const double prepare = costs.prepare * particles_of_a_pair(first, second);
    double work = cost.work + std::max(tasks_of_a_frame - 1.0, 0.0) * prepare;
    // If nearly all pairs are near, rows differ little, and need not be looked at.
    const bool differ = by_gpus ? for_gpus && cost.evaluated < 1.0 : for_cpus;
    if (rows && first > 1 && volume_ > 0.0 && differ) {
      const double near = cost.work - costs.look - prepare;
      work += near * (near_pairs(*rows, first, by_gpus) - 1.0);
    }
    return std::max<std::uint64_t>(
        static_cast<std::uint64_t>(work * static_cast<double>(size.pairs)), 1);
  };
  size.evaluated = evaluated(false);
  size.evaluated_by_gpu = evaluated(true);
}

std::vector<RowRange> ClusterCostModel::split_rows_for_gpus(RowRange rows,
                                                            std::uint64_t count,
                                                            std::uint64_t parts) {
  const ClusterCost cost = of(count, count, true);
  if (volume_ <= 0.0 || cost.evaluated == 1.0) {
    return split_rows(rows, count, true, parts);
  }
  const NearPairsByRow& near = near_pairs_by_row(count, true);
  const Costs costs = costs_of(count, true);
  const double all_near =
      cost.work - costs.look - costs.prepare * particles_of_a_pair(count, count);
  const auto all = static_cast<double>(pairs_before(count, count, true));
  return split_rows(rows, count, parts, [&](std::uint64_t row) {
    return costs.look * static_cast<double>(pairs_before(row, count, true)) +
           all_near * all *
               near.before(static_cast<double>(row) / static_cast<double>(count));
  });
}

}  // namespace starhist::tasks
