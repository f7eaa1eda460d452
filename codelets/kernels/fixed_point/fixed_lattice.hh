#pragma once

#include <cstdint>
#include <optional>

#include "codelets/kernels/bounds.hh"
#include "codelets/kernels/fixed_point/fast_metric.hh"

namespace starhist::kernels {

/// Conversion of a frame's positions to fixed point, and the fast distance of two of
/// them.
struct FixedLattice {
  /// False if bins are so narrow that the error bound of the fast distance in single
  /// precision reaches largest_ambiguity: DoubleMetric or the defining function is then
  /// needed.
  bool usable = false;
  /// True: clusters with known images (../clusters/cluster_images.hh) may use single
  /// precision. Only if the metric is `searched`; may be true even if `usable` is
  /// false.
  bool usable_with_images = false;
  Metric metric = Metric::isotropic;
  FastMetric fast{};
  /// Error bound of distances from fixed-point coordinates, before any operation in
  /// single precision, relative to bin_position() [bins].
  double lattice_error = 0.0;
  /// The lattice in bins, in the frame in which it is triangular: xx, yx, yy, zx, zy,
  /// zz.
  double rows[6] = {};
  /// Selling parameters p_ij of the lattice [squared bins, >= 0], ij = 14, 24, 34, 12,
  /// 13, 23.
  double selling[6] = {};
  /// Fractional coordinate k of a position p is dot(p, dual[k]) - origin[k]. The origin
  /// is 0 along periodic edges.
  Vec3 dual[3];
  double origin[3] = {};
};

/// Largest usable error bound of a distance; beyond it, most pairs could be ambiguous
/// [bins].
inline constexpr double largest_ambiguity = 0.35;

/// The lattice of a block of pairs, for positions within `bounds`.
FixedLattice make_fixed_lattice(const MinimumImage& image, const BinScale& bins,
                                const Bounds& bounds);

/// The metric in double precision, for bins that single precision cannot resolve; its
/// loop is half as fast. Empty if double precision cannot resolve them either.
std::optional<DoubleMetric> make_double_metric(const MinimumImage& image,
                                               const BinScale& bins,
                                               const Bounds& bounds);

/// Fractional coordinate `axis` of p, modulo 1, as a multiple of 2^-32 of the edge.
STARHIST_HOST_DEVICE std::int32_t fixed_coordinate(const FixedLattice& lattice,
                                                   int axis, Vec3 p) {
  constexpr double to_integer = 0x1.8p52;   // adding it rounds to an integer
  constexpr double to_fraction = 0x1.8p20;  // adding it rounds to a multiple of 2^-32
  const Vec3 dual = lattice.dual[axis];
  const double s = (p.x * dual.x + p.y * dual.y + p.z * dual.z) - lattice.origin[axis];
  const double fraction = s - ((s + to_integer) - to_integer);
  return low_bits(fraction + to_fraction);
}

}  // namespace starhist::kernels
