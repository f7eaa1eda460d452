#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "codelets/core/geometry/minimum_image.hh"
#include "codelets/kernels/bounds.hh"

namespace starhist::kernels {

/// Pencils along one axis of the cell, between planes across the other two axes, cut
/// into layers; and a path through them in boustrophedon order (forward in one pencil,
/// backward in the next).
///
/// A segment of that path is a box as wide as a pencil. The number of pencils along an
/// axis is even, so planes half the cell apart are both boundaries of pencils. Two
/// segments then need more than one image along that axis only if they are half the
/// cell apart.
struct SpatialGrid {
  /// Bits of a number on the path, and number of bits within a layer of a pencil.
  static constexpr int candidate_bits = 32;
  static constexpr int bits_in_bar = 10;
  static constexpr std::uint32_t cells_in_pencil = 1U << bits_in_bar;
  /// Pencils times layers are fewer than this.
  static constexpr std::uint32_t most_pencils = 1U << (candidate_bits - bits_in_bar);

  /// p . along[k] - low[k], modulo 1 if periodic, is the coordinate of p as a fraction
  /// of the width along axis k.
  Vec3 along[3];
  Vec3 edge[3];  ///< edges of periodic axes; edge[k] has no component along axes j > k
  double low[3] = {};
  bool periodic[3] = {};
  int bar_axis = 2;                   ///< axis along which pencils run
  int across[2] = {0, 1};             ///< the other two axes
  std::uint32_t pencils[2] = {1, 1};  ///< numbers of pencils along these: 1 or even
  std::uint32_t layers = 1;           ///< number of layers along bar_axis

  /// Numbers on the path, at most 2^candidate_bits.
  STARHIST_HOST_DEVICE std::uint64_t cells() const {
    return std::uint64_t{layers} * pencils[0] * pencils[1] * cells_in_pencil;
  }

  /// Number of p on the path, less than cells(). p is finite and, along axes without
  /// periodicity, within the bounds of the grid.
  STARHIST_HOST_DEVICE std::uint32_t place(Vec3 p) const {
    double part[3];
    find_slices(p, part);
    return place_of(part);
  }

  /// Number on the path of the point with these coordinates as fractions of the widths
  /// along the axes.
  STARHIST_HOST_DEVICE std::uint32_t place_of(const double (&part)[3]) const {
    const std::uint32_t z = cell(part[bar_axis], layers * cells_in_pencil);
    const std::uint32_t layer = z / cells_in_pencil;
    const std::uint32_t row =
        there_or_back(layer, cell(part[across[0]], pencils[0]), pencils[0]);
    const std::uint32_t pencil =  // within the layer
        row * pencils[1] + there_or_back(layer * pencils[0] + row,
                                         cell(part[across[1]], pencils[1]), pencils[1]);
    return (layer * pencils[0] * pencils[1] + pencil) * cells_in_pencil +
           there_or_back(pencil, z % cells_in_pencil, cells_in_pencil);
  }

  /// Sets part[k] to the coordinate of p along axis k as a fraction of the width [0, 1
  /// up to rounding].
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

  /// Index of the cell that contains `part` (a fraction of the width), of `cells` along
  /// an axis; fractions outside [0, 1) are in the first or last cell.
  STARHIST_HOST_DEVICE static std::uint32_t cell(double part, std::uint32_t cells) {
    const double cell = part * static_cast<double>(cells);
    const double last = static_cast<double>(cells - 1U);
    return static_cast<std::uint32_t>(cell < 0.0 ? 0.0 : cell > last ? last : cell);
  }

 private:
  /// `cell`, counted from the other end if `time` is odd; without a branch, which
  /// processors would predict wrongly half the time.
  STARHIST_HOST_DEVICE static std::uint32_t there_or_back(std::uint32_t time,
                                                          std::uint32_t cell,
                                                          std::uint32_t cells) {
    const std::uint32_t odd = 0U - time % 2U;  // no bits or all
    return (cell ^ odd) + (cells & odd);
  }
};

/// Axes of the boxes around clusters. Pencils in a skewed cell are as skewed as the
/// cell.
enum class ClusterAxes {
  lattice,    ///< along the cell's edges, as on CPUs: pencils in the cell
  cartesian,  ///< as on GPUs: pencils in the rectangular box of lattice_axes()
};

/// The grid for clusters of 32 of `particles` particles. `density_contrast` [>= 1] is
/// the density around a particle, averaged over particles, divided by the density of
/// evenly spread particles in the cell (along axes without periodicity over `bounds`).
/// Without particles: a default grid.
SpatialGrid make_spatial_grid(const MinimumImage& image, const Bounds& bounds,
                              std::size_t particles, double density_contrast,
                              ClusterAxes clusters);

/// The density contrast, estimated to some percent from up to 2048 of the positions: 1
/// if they are spread evenly, at most 512.
double density_contrast_of(const PositionSpan& positions, const MinimumImage& image,
                           const Bounds& bounds, ClusterAxes clusters);

}  // namespace starhist::kernels
