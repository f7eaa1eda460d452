#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "codelets/core/minimum_image.hh"
#include "codelets/kernels/fixed_point/bounds.hh"

namespace starhist {

/// Cells of about equal width along three axes, and a Hilbert curve through them:
/// Skilling's (AIP Conf. Proc. 707, 381 (2004)).
struct SpatialGrid {
  /// Cells along each axis: 2^10 at most, so places have 30 bits.
  static constexpr double most_cells = 1024.0;
  static constexpr int place_bits = 30;

  Vec3 along[3];  ///< p . along is the part of the width that p is at
  Vec3 edge[3];   ///< periodic ones; none has a part along the axes that follow
  double low[3] = {};
  double cells[3] = {};
  bool periodic[3] = {};
  std::uint32_t highest = 1;  ///< highest bit of a cell's coordinates

  /// Number on the curve of the cell that p, finite and within the bounds, is in.
  STARHIST_HOST_DEVICE std::uint32_t place(Vec3 p) const {
    std::uint32_t x[3];
    for (int k = 2; k >= 0; --k) {
      double f = dot(p, along[k]) - low[k];
      if (periodic[k]) {
        const double whole = floor(f);
        p = shifted(p, whole, edge[k]);
        f -= whole;
      }
      const double cell = f * cells[k];
      x[k] = static_cast<std::uint32_t>(cell < 0.0                ? 0.0
                                        : cell > most_cells - 1.0 ? most_cells - 1.0
                                                                  : cell);
    }
    transpose(x);
    return spread(x[0]) << 2U | spread(x[1]) << 1U | spread(x[2]);
  }

 private:
  /// Skilling's AxestoTranspose for three axes of 2 * highest cells: the cell's place
  /// on the curve, its bits spread over the axes.
  STARHIST_HOST_DEVICE void transpose(std::uint32_t (&x)[3]) const {
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
    x[0] ^= t;
    x[1] ^= t;
    x[2] ^= t;
  }

  /// Two zeros between the bits of x.
  STARHIST_HOST_DEVICE static std::uint32_t spread(std::uint32_t x) {
    x = (x | x << 16U) & 0x30000ffU;
    x = (x | x << 8U) & 0x300f00fU;
    x = (x | x << 4U) & 0x30c30c3U;
    return (x | x << 2U) & 0x9249249U;
  }
};

/// What the boxes around tiles are along: pieces of a curve through a skewed cell are
/// as skewed as the cell.
enum class TileAxes {
  lattice,    ///< the cell's edges, as on CPUs: a curve through the cell
  cartesian,  ///< as on GPUs: a curve through the box of lattice_axes()
};

/// About eight cells for each of so many particles within the bounds. Axes without
/// periodicity are cut as wide as these.
SpatialGrid make_spatial_grid(const MinimumImage& image, const Bounds& bounds,
                              std::size_t particles, TileAxes tiles);

}  // namespace starhist
