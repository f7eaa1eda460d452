#include "tasks/tile_estimate.hh"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "codelets/kernels/fixed_point/bounds.hh"
#include "codelets/kernels/tiles/spatial_order.hh"
#include "codelets/kernels/tiles/tile_boxes.hh"
#include "codelets/sort_positions_cuda.hh"
#include "perfmodels/work_class.hh"

namespace starhist {
namespace {

double volume_of(const Frame& frame) {
  if (frame.box.has_volume()) {
    return frame.box.volume();
  }
  Bounds bounds;  // of some, as it takes milliseconds for a million
  constexpr std::size_t together = 64;
  constexpr std::size_t all_of = 1U << 16U;
  for (const auto& positions : frame.positions) {
    const std::size_t count = positions.size() / 3;
    const std::size_t step = (1U + count / all_of) * together;
    for (std::size_t begin = 0; begin < count; begin += step) {
      bounds.add({positions.data(), count}, begin, std::min(begin + together, count));
    }
  }
  const Vec3 extent = bounds.high - bounds.low;
  return extent.x * extent.y * extent.z;
}

/// Volume within r of a cube with edges of 2 w: where the centre of another tile may
/// be.
double reach_volume(double r, double w) {
  constexpr double pi = std::numbers::pi;
  const double edge = 2.0 * w;
  return edge * edge * edge + 6.0 * edge * edge * r + 3.0 * pi * edge * r * r +
         4.0 / 3.0 * pi * r * r * r;
}

/// Sizes of tiles and what counting them costs.
struct TileCosts {
  std::size_t rows;
  std::size_t columns;
  double width;         ///< of a tile's box, relative to a cube's
  double pair_seconds;  ///< all workers together, without tiles
  double overhead;      ///< of an evaluated pair, times pair_seconds
  double look;          ///< of any pair, for looking at its tile, times pair_seconds
  double images;        ///< overhead grows with so many powers of lattice vectors
};

/// A GPU counts tiles alike in all boxes; without them open ones are faster and
/// distances that need an image search much slower (kernels/cuda/README.md).
double gpu_overhead(Geometry geometry) {
  switch (geometry) {
    case Geometry::open:
      return 1.13;
    case Geometry::orthorhombic:
      return 0.45;
    case Geometry::triclinic:
      return 0.40;
    case Geometry::triclinic_far:
      return 0.20;
  }
  return 1.0;
}

/// Widths fit the shares measured for r_max from 0.3 to 3 tile widths.
TileCosts costs_of(std::uint64_t workers, double gpu_speed, Geometry geometry,
                   std::size_t most_particles) {
  if (gpu_speed > 0.0) {
    const double overhead = gpu_overhead(geometry);
    return {32, 32, 1.3, 1.0 / gpu_speed, overhead, 0.002, 1.0};
  }
  const auto cores = static_cast<double>(workers);
  if (geometry == Geometry::triclinic_far) {
    // AVX2 as measured to the corner (kernels/tiles/README.md), and a little for
    // AVX-512, which gains less: 0.84 of the time without tiles with 16 384 particles,
    // and loses with 4096.
    const TileSizes sizes = image_tile_sizes(most_particles);
    return {sizes.rows, sizes.columns, 1.14, 1.3e-9 / cores, 0.33, 0.01, 0.7};
  }
  return {row_tile_size, tile_size, 1.14, 0.5e-9 / cores, 1.15, 0.01, 0.0};
}

}  // namespace

TileEstimate estimate_tiles(const HistogramLayout& layout, const Frame& frame,
                            std::uint64_t workers, double gpu_speed) {
  std::size_t most_particles = 0;
  for (const auto& positions : frame.positions) {
    most_particles = std::max(most_particles, positions.size() / 3);
  }
  const TileCosts costs = costs_of(
      workers, gpu_speed, geometry_of(frame.box, layout.bins.r_max), most_particles);
  const double volume = volume_of(frame);
  const auto half_width = [&](std::size_t tile, SpeciesId species) {
    const auto count = static_cast<double>(frame.particle_count(species));
    return count > 0.0 ? 0.5 * costs.width *
                             std::cbrt(static_cast<double>(tile) * volume / count)
                       : 0.0;
  };
  double pairs = 0.0;
  double evaluated = 0.0;
  double cost = 0.0;  // of the evaluated, times pair_seconds
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    const SpeciesPair& pair = layout.pairs[p];
    const auto own = static_cast<double>(pair_count(layout, frame, PairId(p)));
    const double width =
        half_width(costs.rows, pair.first) + half_width(costs.columns, pair.second);
    const double share =
        volume > 0.0 ? std::min(reach_volume(layout.bins.r_max, width) / volume, 1.0)
                     : 1.0;
    // A face of the cell, and so another image, is within reach of tiles `width` away.
    const double images = frame.box.has_volume()
                              ? std::pow(1.0 + 2.0 * width / std::cbrt(volume), 3.0)
                              : 1.0;
    pairs += own;
    evaluated += share * own;
    cost += share * own * costs.overhead * std::pow(images, costs.images);
  }
  TileEstimate estimate;
  if (pairs == 0.0) {
    return estimate;
  }
  double particles = 0.0;
  for (const auto& positions : frame.positions) {
    particles += static_cast<double>(positions.size()) / 3.0;
  }
  estimate.evaluated_share = evaluated / pairs;
  const double sorting =
      gpu_speed > 0.0 ? gpu_seconds_to_sort_a_particle * particles
                      : seconds_to_sort_a_particle * particles /
                            static_cast<double>(std::max<std::uint64_t>(workers, 1));
  const double counting = costs.pair_seconds * (cost + costs.look * pairs);
  estimate.speedup = costs.pair_seconds * pairs / counting;
  const double surely = gpu_speed > 0.0 ? 0.9 : 0.8;
  estimate.worth_while = sorting + counting < surely * costs.pair_seconds * pairs;
  return estimate;
}

}  // namespace starhist
