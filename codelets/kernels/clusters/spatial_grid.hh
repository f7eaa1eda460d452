#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "codelets/core/geometry/minimum_image.hh"
#include "codelets/kernels/bounds.hh"

namespace starhist::kernels {

/// Bars along one axis of the cell, between planes across the others, cut into layers;
/// and a way through them, there in one pencil and back in the next.
///
/// Pieces of that way are boxes as wide as a pencil. If there is an even number of
/// pencils beside each other, the planes half the cell apart are planes, too: then two
/// pieces need more than one image along that axis only where they are just so far
/// apart.
struct SpatialGrid {
  static constexpr int candidate_bits = 32;
  /// Of those, for what is in one layer of a pencil.
  static constexpr int bits_in_bar = 10;
  static constexpr std::uint32_t cells_in_pencil = 1U << bits_in_bar;
  static constexpr std::uint32_t most_pencils = 1U << (candidate_bits - bits_in_bar);

  Vec3 along[3];  ///< p . along is the part of the width that p is at
  Vec3 edge[3];   ///< periodic ones; none has a part along the axes that follow
  double low[3] = {};
  bool periodic[3] = {};
  int bar_axis = 2;
  int across[2] = {0, 1};  ///< the other axes
  std::uint32_t pencils[2] = {1, 1};
  std::uint32_t layers = 1;

  /// Number on the way of where p, finite and within the bounds, is.
  STARHIST_HOST_DEVICE std::uint32_t place(Vec3 p) const {
    double part[3];
    find_slices(p, part);
    const std::uint32_t z = cell(part[bar_axis], layers * cells_in_pencil);
    const std::uint32_t layer = z / cells_in_pencil;
    const std::uint32_t row =
        there_or_back(layer, cell(part[across[0]], pencils[0]), pencils[0]);
    const std::uint32_t bar =  // of the layer
        row * pencils[1] + there_or_back(layer * pencils[0] + row,
                                         cell(part[across[1]], pencils[1]), pencils[1]);
    return (layer * pencils[0] * pencils[1] + bar) * cells_in_pencil +
           there_or_back(bar, z % cells_in_pencil, cells_in_pencil);
  }

  /// Where p is along each axis, as parts of the widths.
  STARHIST_HOST_DEVICE void find_slices(Vec3 p, double (&part)[3]) const {
    for (int k = 2; k >= 0; --k) {
      part[k] = dot(p, along[k]) - low[k];
      if (periodic[k]) {
        const double whole = floor(part[k]);
        p = shifted(p, whole, edge[k]);
        part[k] -= whole;
      }
    }
  }

  /// Of so many along an axis.
  STARHIST_HOST_DEVICE static std::uint32_t cell(double part, std::uint32_t cells) {
    const double cell = part * static_cast<double>(cells);
    const double last = static_cast<double>(cells - 1U);
    return static_cast<std::uint32_t>(cell < 0.0 ? 0.0 : cell > last ? last : cell);
  }

 private:
  /// `cell`, or counted from the other end each second time.
  STARHIST_HOST_DEVICE static std::uint32_t there_or_back(std::uint32_t time,
                                                          std::uint32_t cell,
                                                          std::uint32_t cells) {
    return time % 2U == 0 ? cell : cells - 1U - cell;
  }
};

/// What the boxes around clusters are along: pieces of pencils in a skewed cell are as
/// skewed as the cell.
enum class ClusterAxes {
  lattice,    ///< the cell's edges, as on CPUs: pencils in the cell
  cartesian,  ///< as on GPUs: pencils in the box of lattice_axes()
};

/// For pieces of 32 of so many particles, of which each has `density contrast` times as
/// many around it as if they filled the bounds, or the cell, evenly.
SpatialGrid make_spatial_grid(const MinimumImage& image, const Bounds& bounds,
                              std::size_t particles, double density_contrast,
                              ClusterAxes clusters);

/// That, from some thousand of the positions and to some percent: 1 where they are
/// spread evenly, up to 512.
double density_contrast_of(const PositionSpan& positions, const MinimumImage& image,
                           const Bounds& bounds, ClusterAxes clusters);

}  // namespace starhist::kernels
