#include "codelets/kernels/tiles/spatial_grid.hh"

#include <algorithm>
#include <array>
#include <cmath>

#include "codelets/kernels/tiles/lattice_axes.hh"

namespace starhist {
namespace {

/// Least and greatest coordinate of the corners of bounds along an axis.
std::array<double, 2> extent_along(const Bounds& bounds, Vec3 axis) {
  const Vec3 low = bounds.low;
  const Vec3 high = bounds.high;
  std::array<double, 2> extent{};
  const auto widen = [&](double a, double b) {
    extent[0] += std::min(a, b);
    extent[1] += std::max(a, b);
  };
  widen(low.x * axis.x, high.x * axis.x);
  widen(low.y * axis.y, high.y * axis.y);
  widen(low.z * axis.z, high.z * axis.z);
  return extent;
}

/// Of one of the lattice's edges.
Vec3 dual_of(const MinimumImage& image, Vec3 edge) {
  return image.dual[std::find(image.edge, image.edge + 3, edge) - image.edge];
}

}  // namespace

SpatialGrid make_spatial_grid(const MinimumImage& image, const Bounds& bounds,
                              std::size_t particles, TileAxes tiles) {
  constexpr double flat = 1e-12;  // of what is far from the origin: no width at all
  const bool skewed = tiles == TileAxes::lattice;
  const LatticeAxes axes = skewed ? axes_of_edges(image) : lattice_axes(image);
  SpatialGrid grid;
  std::array<double, 3> width{};
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 edge = axes.edge[k];
    const auto [low, high] = extent_along(bounds, axes.unit[k]);
    grid.periodic[k] = k < axes.edges;
    grid.edge[k] = edge;
    if (grid.periodic[k] && skewed) {
      width[k] = length(edge);
      grid.along[k] = dual_of(image, edge);
      continue;
    }
    width[k] = grid.periodic[k]
                   ? dot(edge, axes.unit[k])
                   : std::max({high - low, flat * std::max(high, -low), 1e-300});
    grid.along[k] = (1.0 / width[k]) * axes.unit[k];
    grid.low[k] = grid.periodic[k] ? 0.0 : low / width[k];
  }
  const double longest = *std::max_element(width.begin(), width.end());
  const double flatness =
      (width[0] / longest) * (width[1] / longest) * (width[2] / longest);
  const double wanted =
      std::cbrt(8.0 * static_cast<double>(particles) / std::max(flatness, 1e-12));
  double cells = 2.0;
  while (cells < std::min(wanted, SpatialGrid::most_cells)) {
    cells *= 2.0;
    grid.highest *= 2U;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    grid.cells[k] = std::max(1.0, cells * (width[k] / longest));
  }
  return grid;
}

}  // namespace starhist
