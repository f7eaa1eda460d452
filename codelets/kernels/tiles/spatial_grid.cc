#include "codelets/kernels/tiles/spatial_grid.hh"

#include <algorithm>
#include <array>
#include <cmath>

namespace starhist {
namespace {

/// How much of an axis the periodic edges already cover.
double periodic_part(const MinimumImage& image, std::size_t rank, Vec3 axis) {
  double part = 0.0;
  for (std::size_t k = 0; k < rank; ++k) {
    const double along = dot(image.edge[k], axis);
    part += along * along / dot(image.edge[k], image.edge[k]);
  }
  return part;
}

}  // namespace

SpatialGrid make_spatial_grid(const MinimumImage& image, const Bounds& bounds,
                              std::size_t particles) {
  SpatialGrid grid;
  std::array<double, 3> width{};
  std::size_t rank = 0;
  for (; rank < 3 && image.edge[rank] != Vec3{}; ++rank) {
    grid.dual[rank] = image.dual[rank];
    width[rank] = std::sqrt(dot(image.edge[rank], image.edge[rank]));
  }
  if (rank < 3) {
    // Any axes do for an order: those of the bounds, shortest ones last.
    const Vec3 extent = bounds.high - bounds.low;
    const std::array<Vec3, 3> along{Vec3{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    std::array<std::size_t, 3> axes{0, 1, 2};
    std::stable_sort(axes.begin(), axes.end(), [&](std::size_t a, std::size_t b) {
      return periodic_part(image, rank, along[a]) <
             periodic_part(image, rank, along[b]);
    });
    for (std::size_t k = rank; k < 3; ++k) {
      const Vec3 axis = along[axes[k - rank]];
      width[k] = std::max(dot(extent, axis), 1e-300);
      grid.dual[k] = (1.0 / width[k]) * axis;
      grid.low[k] = dot(bounds.low, grid.dual[k]);
      grid.periodic[k] = false;
    }
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
