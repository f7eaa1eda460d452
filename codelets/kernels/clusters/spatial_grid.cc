#include "codelets/kernels/clusters/spatial_grid.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "codelets/core/base/contract.hh"
#include "codelets/kernels/clusters/density_sample.hh"
#include "codelets/kernels/clusters/lattice_axes.hh"

namespace starhist::kernels {
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

/// The dual vector of one of the reduced edges.
Vec3 dual_of(const MinimumImage& image, Vec3 edge) {
  return image.dual[std::find(image.edge, image.edge + 3, edge) - image.edge];
}

/// A grid with axes and widths, before pencils and layers are set.
struct EmptyGrid {
  SpatialGrid grid;
  std::array<double, 3> width{};  ///< of the cell or the bounds [unit of positions]
  /// True if the edge lies along the axis: a facet of the Voronoi cell is then
  /// perpendicular to it.
  std::array<bool, 3> facet{};
};

EmptyGrid make_empty_grid(const MinimumImage& image, const Bounds& bounds,
                          ClusterAxes clusters) {
  constexpr double flat = 1e-12;  // least width relative to the largest coordinate
  constexpr double rounding = 1e-6;
  const bool skewed = clusters == ClusterAxes::lattice;
  const LatticeAxes axes = skewed ? axes_of_edges(image) : lattice_axes(image);
  EmptyGrid empty;
  auto& [grid, width, facet] = empty;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 edge = axes.edge[k];
    const auto [low, high] = extent_along(bounds, axes.unit[k]);
    grid.periodic[k] = k < axes.edges;
    grid.edge[k] = edge;
    facet[k] =
        grid.periodic[k] && dot(edge, axes.unit[k]) > (1.0 - rounding) * length(edge);
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
  return empty;
}

/// The longest axis. An axis without a facet across it, where planes save no images,
/// counts 1.5 times its length.
int pencil_axis_of(const EmptyGrid& empty) {
  constexpr double worth_of_planes = 1.5;
  const auto length_along = [&](std::size_t k) {
    return empty.facet[k] ? empty.width[k] : worth_of_planes * empty.width[k];
  };
  std::size_t best = 2;
  for (const std::size_t k : {1U, 0U}) {
    if (length_along(k) > length_along(best)) {
      best = k;
    }
  }
  return static_cast<int>(best);
}

/// Edge of each of `cubes` equal cubes that fill a box with these widths; of squares or
/// segments if the box is thinner than a cube.
double edge_of_cubes(std::array<double, 3> width, double cubes) {
  std::sort(width.begin(), width.end(), std::greater());
  double edge = width[0] / cubes;
  for (const std::size_t axes : {2U, 3U}) {
    double logarithm = -std::log(cubes);
    for (std::size_t k = 0; k < axes; ++k) {
      logarithm += std::log(width[k]);
    }
    const double shorter = std::exp(logarithm / static_cast<double>(axes));
    if (width[axes - 1] > shorter) {
      edge = shorter;
    }
  }
  return edge;
}

/// x rounded to an integer in [1, most_pencils].
std::uint32_t whole_number(double x) {
  constexpr double most = SpatialGrid::most_pencils;
  return static_cast<std::uint32_t>(std::clamp(std::round(x), 1.0, most));
}

}  // namespace

SpatialGrid make_spatial_grid(const MinimumImage& image, const Bounds& bounds,
                              std::size_t particles, double density_contrast,
                              ClusterAxes clusters) {
  // In edges of a cube that holds the particles of a cluster;
  // docs/benchmarks/cut-offs.md has the measurement.
  constexpr double pencil_width = 1.15;
  constexpr double layer_width = 6.5;
  constexpr double in_a_piece = 32.0;
  if (particles == 0) {
    return {};
  }
  STARHIST_EXPECT(density_contrast >= 1.0, "the density contrast is at least 1");
  EmptyGrid empty = make_empty_grid(image, bounds, clusters);
  auto& [grid, width, facet] = empty;
  grid.bar_axis = pencil_axis_of(empty);
  grid.across[0] = grid.bar_axis == 0 ? 1 : 0;
  grid.across[1] = grid.bar_axis == 2 ? 1 : 2;
  const double cubes =
      std::max(density_contrast * static_cast<double>(particles) / in_a_piece, 1.0);
  double edge = edge_of_cubes(width, cubes);
  const auto over = [&edge, &width = width](int axis, double length) {
    return width[static_cast<std::size_t>(axis)] / (length * edge);
  };
  constexpr double wider = 1.25;
  std::uint64_t pencils = 0;
  do {
    pencils = 1;
    for (std::size_t k = 0; k < 2; ++k) {
      const double pairs = over(grid.across[k], 2.0 * pencil_width);
      grid.pencils[k] = pairs < 0.5 ? 1U : 2U * whole_number(pairs);
      pencils *= grid.pencils[k];
    }
    grid.layers = whole_number(over(grid.bar_axis, layer_width));
    pencils = std::min<std::uint64_t>(pencils, SpatialGrid::most_pencils) * grid.layers;
    edge *= wider;
  } while (pencils >= SpatialGrid::most_pencils);
  return grid;
}

std::vector<std::uint32_t> sampled_particles(std::size_t particles) {
  constexpr std::size_t most = 2048;
  std::vector<std::uint32_t> sample(std::min(particles, most));
  const double step =
      static_cast<double>(particles) / static_cast<double>(sample.size());
  for (std::size_t k = 0; k < sample.size(); ++k) {
    // At unequal steps, because particles may be in the order of a crystal.
    constexpr double golden = 0.6180339887498949;
    const auto number = static_cast<double>(k);
    const double off = step > 1.0 ? golden * number - std::floor(golden * number) : 0.0;
    const auto i = static_cast<std::size_t>(step * (number + off));
    sample[k] = static_cast<std::uint32_t>(std::min(i, particles - 1));
  }
  return sample;
}

double density_contrast_of(const PositionSpan& positions, const MinimumImage& image,
                           const Bounds& bounds, ClusterAxes clusters) {
  constexpr std::uint32_t most_cells = 8;  // along an axis
  constexpr double flat = 1e-6;
  const EmptyGrid empty = make_empty_grid(image, bounds, clusters);
  const double longest = *std::max_element(empty.width.begin(), empty.width.end());
  std::array<std::uint32_t, 3> parts{};
  for (std::size_t k = 0; k < 3; ++k) {
    parts[k] = empty.width[k] > flat * longest ? most_cells : 1U;
  }
  std::array<double, most_cells * most_cells * most_cells> in_cell{};
  const std::vector<std::uint32_t> particles = sampled_particles(positions.count);
  std::vector<Vec3> sample(particles.size());
  for (std::size_t k = 0; k < sample.size(); ++k) {  // so that cache misses overlap
    sample[k] = positions[particles[k]];
  }
  double pairs = 0.0;  // with both particles in the same cell
  for (const Vec3& position : sample) {
    double part[3];
    empty.grid.find_slices(position, part);
    std::uint32_t cell = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      cell = cell * parts[axis] + SpatialGrid::cell(part[axis], parts[axis]);
    }
    pairs += in_cell[cell];
    in_cell[cell] += 1.0;
  }
  const auto count = static_cast<double>(sample.size());
  const double all_pairs = 0.5 * count * (count - 1.0);
  const double cells = parts[0] * parts[1] * parts[2];
  return std::max(1.0, pairs * cells / std::max(all_pairs, 1.0));
}

}  // namespace starhist::kernels
