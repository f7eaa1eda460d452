#include "tasks/tile_estimate.hh"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "codelets/kernels/fixed_point/bounds.hh"
#include "codelets/kernels/tiles/tile_boxes.hh"

namespace starhist {
namespace {

double volume_of(const Frame& frame) {
  if (frame.box.has_volume()) {
    return frame.box.volume();
  }
  Bounds bounds;
  for (const auto& positions : frame.positions) {
    bounds.add({positions.data(), positions.size() / 3}, 0, positions.size() / 3);
  }
  const Vec3 extent = bounds.high - bounds.low;
  return extent.x * extent.y * extent.z;
}

/// Boxes around runs of a Hilbert curve are so much wider than cubes would be: fits the
/// shares measured for r_max from 0.3 to 3 tile widths.
constexpr double box_width = 1.14;

/// Volume within r of a cube with edges of 2 w: where the centre of another tile may
/// be.
double reach_volume(double r, double w) {
  constexpr double pi = std::numbers::pi;
  const double edge = 2.0 * w;
  return edge * edge * edge + 6.0 * edge * edge * r + 3.0 * pi * edge * r * r +
         4.0 / 3.0 * pi * r * r * r;
}

}  // namespace

TileEstimate estimate_tiles(const HistogramLayout& layout, const Frame& frame) {
  const double volume = volume_of(frame);
  const auto half_width = [&](std::size_t tile, SpeciesId species) {
    const auto count = static_cast<double>(frame.particle_count(species));
    const double particles = static_cast<double>(tile);
    return count > 0.0 ? 0.5 * box_width * std::cbrt(particles * volume / count) : 0.0;
  };
  double pairs = 0.0;
  double evaluated = 0.0;
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    const SpeciesPair& pair = layout.pairs[p];
    const auto own = static_cast<double>(pair_count(layout, frame, PairId(p)));
    const double width =
        half_width(row_tile_size, pair.first) + half_width(tile_size, pair.second);
    const double share =
        volume > 0.0 ? std::min(reach_volume(layout.bins.r_max, width) / volume, 1.0)
                     : 1.0;
    pairs += own;
    evaluated += share * own;
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
  constexpr double pair_seconds = 0.5e-9;
  constexpr double sort_seconds = 100e-9;
  constexpr double tile_overhead = 1.15;
  estimate.worth_while =
      tile_overhead * evaluated * pair_seconds + particles * sort_seconds <
      0.8 * pairs * pair_seconds;
  return estimate;
}

}  // namespace starhist
