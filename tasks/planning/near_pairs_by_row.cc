#include "tasks/planning/near_pairs_by_row.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "codelets/kernels/clusters/spatial_grid.hh"

namespace starhist::tasks {
namespace {

using kernels::SpatialGrid;

/// Point k of a sequence that fills the unit cube evenly (Roberts 2018, the R3
/// sequence: multiples of the powers of the inverse of the root of x^4 = x + 1).
Vec3 even_point(std::size_t k) {
  constexpr double root = 1.2207440846057596;
  const auto part = [n = static_cast<double>(k + 1)](double step) {
    return step * n - std::floor(step * n);
  };
  return {part(1.0 / root), part(1.0 / (root * root)),
          part(1.0 / (root * root * root))};
}

/// Edges of a grid's cell; along an axis without periodicity as long as the bounds.
std::array<Vec3, 3> edges_of(const SpatialGrid& grid) {
  std::array<Vec3, 3> edges;
  for (std::size_t k = 0; k < 3; ++k) {
    edges[k] = grid.periodic[k]
                   ? grid.edge[k]
                   : (1.0 / dot(grid.along[k], grid.along[k])) * grid.along[k];
  }
  return edges;
}

Vec3 in_cell(const std::array<Vec3, 3>& edges, Vec3 parts) {
  return parts.x * edges[0] + parts.y * edges[1] + parts.z * edges[2];
}

double beyond(double distance, double width) {
  return distance > 0.0 ? std::max(distance - width, 0.0)
                        : std::min(distance + width, 0.0);
}

/// Numbers on the path of points in units of the edges, as SpatialGrid::place() without
/// calls of the library's fused multiply-add.
class PlaceOfParts {
 public:
  PlaceOfParts(const SpatialGrid& grid, const std::array<Vec3, 3>& edges)
      : grid_(grid) {
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t j = 0; j < 3; ++j) {
        width_[k][j] = dot(edges[j], grid.along[k]);
      }
    }
  }

  std::uint32_t operator()(Vec3 parts) const {
    double slice[3];
    for (std::size_t k = 0; k < 3; ++k) {
      slice[k] =
          width_[k][0] * parts.x + width_[k][1] * parts.y + width_[k][2] * parts.z;
    }
    for (std::size_t k = 3; k-- > 0;) {
      const double whole = grid_.periodic[k] ? std::floor(slice[k]) : 0.0;
      for (std::size_t j = 0; j <= k; ++j) {
        slice[j] -= whole * width_[j][k];
      }
    }
    return grid_.place_of(slice);
  }

 private:
  const SpatialGrid& grid_;
  double width_[3][3];  ///< [k][j]: edge j along axis k, as a fraction of the width
};

/// Half the summed extents of the boxes of a cluster of rows and one of columns, in
/// units of the edges. A box is as wide as a pencil, up to its outermost particles, and
/// as long as the path that its particles fill.
Vec3 extents_of(const SpatialGrid& grid, std::size_t count,
                const kernels::ClusterSizes& clusters) {
  const auto rows = static_cast<double>(clusters.rows);
  const auto columns = static_cast<double>(clusters.columns);
  const auto filled = [](double particles) {
    return particles * (particles - 1.0) / (particles + 1.0);
  };
  const double pencils = grid.pencils[0] * grid.pencils[1];
  std::array<double, 3> extents{};
  for (int k = 0; k < 2; ++k) {
    const double all = 1.0 / grid.pencils[k];
    extents[static_cast<std::size_t>(grid.across[k])] =
        0.5 * all * (filled(rows) / rows + filled(columns) / columns);
  }
  extents[static_cast<std::size_t>(grid.bar_axis)] = std::min(
      0.5 * (filled(rows) + filled(columns)) * pencils / static_cast<double>(count),
      1.0 / grid.layers);
  return {extents[0], extents[1], extents[2]};
}

/// Evenly spread displacements to near particles, in units of the edges [-1, 1], each
/// together with its opposite.
std::vector<Vec3> near_displacements(const SpatialGrid& grid,
                                     const std::array<Vec3, 3>& edges, double r_max,
                                     Vec3 extents) {
  constexpr std::size_t wanted = 128;
  constexpr std::size_t tries = 64 * wanted;  // in a skewed cell few may be near
  const auto most = [&](int k, double extent) {
    const double widest = extent + r_max * std::sqrt(dot(grid.along[k], grid.along[k]));
    return std::min(widest, grid.periodic[k] ? 0.5 : 1.0);
  };
  const Vec3 scale{most(0, extents.x), most(1, extents.y), most(2, extents.z)};
  std::vector<Vec3> displacements;
  for (std::size_t k = 0; k < tries && displacements.size() < wanted; ++k) {
    const Vec3 point = even_point(k);
    const Vec3 parts{scale.x * (2.0 * point.x - 1.0), scale.y * (2.0 * point.y - 1.0),
                     scale.z * (2.0 * point.z - 1.0)};
    const Vec3 gap =
        in_cell(edges, {beyond(parts.x, extents.x), beyond(parts.y, extents.y),
                        beyond(parts.z, extents.z)});
    if (dot(gap, gap) <= r_max * r_max) {
      displacements.push_back(parts);
      displacements.push_back(-1.0 * parts);
    }
  }
  return displacements;
}

/// False if the point is outside a cell along an axis without periodicity.
bool is_in_cell(const SpatialGrid& grid, Vec3 parts) {
  const auto inside = [&](int k, double part) {
    return grid.periodic[k] || (part >= 0.0 && part < 1.0);
  };
  return inside(0, parts.x) && inside(1, parts.y) && inside(2, parts.z);
}

}  // namespace

NearPairsByRow::NearPairsByRow(const MinimumImage& image, const kernels::Bounds& bounds,
                               std::size_t count, const kernels::ClusterSizes& clusters,
                               double r_max, kernels::ClusterAxes axes) {
  constexpr std::size_t rows = 512;
  constexpr double contrast = 1.0;
  const SpatialGrid grid =
      kernels::make_spatial_grid(image, bounds, count, contrast, axes);
  const std::array<Vec3, 3> edges = edges_of(grid);
  const PlaceOfParts place(grid, edges);
  const std::vector<Vec3> displacements =
      near_displacements(grid, edges, r_max, extents_of(grid, count, clusters));
  std::vector<std::pair<std::uint32_t, double>> behind;  // (place, near ones after)
  for (std::size_t row = 0; row < rows; ++row) {
    const Vec3 point = even_point(row);
    const std::uint32_t own = place(point);
    std::size_t near = 0;
    for (const Vec3& step : displacements) {
      const Vec3 other = point + step;
      near += is_in_cell(grid, other) && place(other) > own ? 1U : 0U;
    }
    behind.emplace_back(own, static_cast<double>(near));
  }
  std::sort(behind.begin(), behind.end());
  before_.push_back(0.0);
  for (const auto& [own, near] : behind) {
    before_.push_back(before_.back() + near);
  }
  const double all = before_.back();
  for (std::size_t row = 0; row <= rows; ++row) {
    before_[row] = all > 0.0 ? before_[row] / all
                             : static_cast<double>(row) / static_cast<double>(rows);
  }
}

double NearPairsByRow::before(double x) const {
  const double row = std::clamp(x, 0.0, 1.0) * static_cast<double>(before_.size() - 1);
  const auto whole = std::min(static_cast<std::size_t>(row), before_.size() - 2);
  const double part = row - static_cast<double>(whole);
  return (1.0 - part) * before_[whole] + part * before_[whole + 1];
}

}  // namespace starhist::tasks
