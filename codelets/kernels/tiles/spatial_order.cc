#include "codelets/kernels/tiles/spatial_order.hh"

#include <algorithm>
#include <array>
#include <cmath>

#include <boost/sort/spreadsort/integer_sort.hpp>

namespace starhist {
namespace {

/// Cells of the curve along each axis: 2^10 at most.
constexpr double most_cells = 1024.0;

using Cell = std::array<std::uint32_t, 3>;

/// Skilling's AxestoTranspose for three axes of 2 * highest cells: the cell's place on
/// the curve, its bits spread over the axes.
Cell transposed_place(Cell x, std::uint32_t highest) {
  for (std::uint32_t q = highest; q > 1; q >>= 1U) {
    const std::uint32_t p = q - 1;
    for (std::uint32_t& axis : x) {
      if ((axis & q) != 0) {
        x[0] ^= p;
      } else {
        const std::uint32_t t = (x[0] ^ axis) & p;
        x[0] ^= t;
        axis ^= t;
      }
    }
  }
  x[1] ^= x[0];
  x[2] ^= x[1];
  std::uint32_t t = 0;
  for (std::uint32_t q = highest; q > 1; q >>= 1U) {
    if ((x[2] & q) != 0) {
      t ^= q - 1;
    }
  }
  return {x[0] ^ t, x[1] ^ t, x[2] ^ t};
}

/// Two zeros between the bits of x.
std::uint64_t spread(std::uint32_t x) {
  std::uint64_t s = x;
  s = (s | s << 16U) & 0x30000ffULL;
  s = (s | s << 8U) & 0x300f00fULL;
  s = (s | s << 4U) & 0x30c30c3ULL;
  return (s | s << 2U) & 0x9249249ULL;
}

/// Number of the cell on the curve.
std::uint64_t place(const Cell& cell, std::uint32_t highest) {
  const Cell x = transposed_place(cell, highest);
  return spread(x[0]) << 2U | spread(x[1]) << 1U | spread(x[2]);
}

/// Cells of about equal width along the axes of the periodic lattice, or of the bounds:
/// about eight for each particle.
class Grid {
 public:
  Grid(const MinimumImage& image, const Bounds& bounds, std::size_t particles) {
    std::array<double, 3> width{};
    std::size_t rank = 0;
    for (; rank < 3 && image.edge[rank] != Vec3{}; ++rank) {
      dual_[rank] = image.dual[rank];
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
        dual_[k] = (1.0 / width[k]) * axis;
        low_[k] = dot(bounds.low, dual_[k]);
        periodic_[k] = false;
      }
    }
    const double longest = *std::max_element(width.begin(), width.end());
    const double flatness =
        (width[0] / longest) * (width[1] / longest) * (width[2] / longest);
    const double wanted =
        std::cbrt(8.0 * static_cast<double>(particles) / std::max(flatness, 1e-12));
    double cells = 2.0;
    while (cells < std::min(wanted, most_cells)) {
      cells *= 2.0;
      highest_ *= 2U;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      cells_[k] = std::max(1.0, cells * (width[k] / longest));
    }
  }

  /// Highest bit of a cell's coordinates.
  std::uint32_t highest() const { return highest_; }

  Cell cell(Vec3 p) const {
    Cell cell;
    for (std::size_t k = 0; k < 3; ++k) {
      double f = dot(p, dual_[k]) - low_[k];
      f = periodic_[k] ? f - std::floor(f) : f;
      cell[k] =
          static_cast<std::uint32_t>(std::clamp(f * cells_[k], 0.0, most_cells - 1.0));
    }
    return cell;
  }

 private:
  /// How much of an axis the periodic edges already cover.
  static double periodic_part(const MinimumImage& image, std::size_t rank, Vec3 axis) {
    double part = 0.0;
    for (std::size_t k = 0; k < rank; ++k) {
      const double along = dot(image.edge[k], axis);
      part += along * along / dot(image.edge[k], image.edge[k]);
    }
    return part;
  }

  std::array<Vec3, 3> dual_;
  std::array<double, 3> low_{};
  std::array<double, 3> cells_{};
  std::array<bool, 3> periodic_{true, true, true};
  std::uint32_t highest_ = 1;
};

}  // namespace

std::vector<std::uint32_t> spatial_order(const PositionSpan& positions,
                                         const MinimumImage& image,
                                         const Bounds& bounds) {
  const Grid grid(image, bounds, positions.count);
  std::vector<std::uint64_t> keys(positions.count);  // place on the curve, particle
  for (std::size_t i = 0; i < positions.count; ++i) {
    keys[i] = place(grid.cell(positions[i]), grid.highest()) << 32U | i;
  }
  boost::sort::spreadsort::integer_sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> order(positions.count);
  for (std::size_t i = 0; i < positions.count; ++i) {
    order[i] = static_cast<std::uint32_t>(keys[i]);
  }
  return order;
}

void copy_in_spatial_order(const PositionSpan& positions, const MinimumImage& image,
                           double* out) {
  Bounds bounds;
  bounds.add(positions, 0, positions.count);
  for (const std::uint32_t i : spatial_order(positions, image, bounds)) {
    out = std::copy_n(positions.xyz + 3 * std::size_t{i}, 3, out);
  }
}

}  // namespace starhist
