#include "codelets/kernels/tiles/spatial_grid.hh"

#include <algorithm>
#include <array>
#include <cmath>

namespace starhist {
namespace {

constexpr std::array<Vec3, 3> cartesian{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};

/// v without its parts along the unit vectors.
Vec3 perpendicular(Vec3 v, const std::array<Vec3, 3>& unit, std::size_t units) {
  for (std::size_t j = 0; j < units; ++j) {
    v = v - dot(v, unit[j]) * unit[j];
  }
  return v;
}

double length(Vec3 v) { return std::sqrt(dot(v, v)); }

/// Orthogonal axes: those of a lattice, then any.
struct Axes {
  std::array<Vec3, 3> unit{};
  std::array<Vec3, 3> edge{};  ///< of the lattice
  std::size_t edges = 0;

  void add(Vec3 v) {
    const Vec3 left = perpendicular(v, unit, edges);
    unit[edges] = (1.0 / length(left)) * left;
    edge[edges] = v;
    ++edges;
  }

  /// Those without an edge: Cartesian ones, but for their parts along the others.
  void complete() {
    for (std::size_t k = edges; k < 3; ++k) {
      Vec3 longest;
      for (const Vec3 v : cartesian) {
        const Vec3 left = perpendicular(v, unit, k);
        longest = length(left) > length(longest) ? left : longest;
      }
      unit[k] = (1.0 / length(longest)) * longest;
    }
  }

  /// Squared diagonal of the Cartesian box around a unit cube along the axes.
  double widening() const {
    double sum = 0.0;
    for (const Vec3 v : cartesian) {
      double extent = 0.0;
      for (const Vec3 u : unit) {
        extent += std::abs(dot(u, v));
      }
      sum += extent * extent;
    }
    return sum;
  }
};

/// The order of the edges which leaves the axes closest to the Cartesian ones, along
/// which the boxes around tiles are.
Axes best_axes(const MinimumImage& image) {
  std::array<std::size_t, 3> order{0, 1, 2};
  Axes best;
  double least = 1e300;
  do {
    Axes axes;
    for (const std::size_t k : order) {
      if (image.edge[k] != Vec3{}) {
        axes.add(image.edge[k]);
      }
    }
    axes.complete();
    // Equal but for roundings: the first.
    if (axes.widening() < 0.999 * least) {
      least = axes.widening();
      best = axes;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

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

}  // namespace

SpatialGrid make_spatial_grid(const MinimumImage& image, const Bounds& bounds,
                              std::size_t particles) {
  const Axes axes = best_axes(image);
  SpatialGrid grid;
  std::array<double, 3> width{};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto [low, high] = extent_along(bounds, axes.unit[k]);
    grid.periodic[k] = k < axes.edges;
    grid.edge[k] = axes.edge[k];
    width[k] = grid.periodic[k] ? dot(axes.edge[k], axes.unit[k])
                                : std::max(high - low, 1e-300);
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
