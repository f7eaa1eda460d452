#pragma once

#include <cstdint>
#include <optional>

#include "codelets/kernels/bounds.hh"
#include "codelets/kernels/fixed_point/fast_metric.hh"

namespace starhist::kernels {

/// How the positions of one frame become fixed point, and how fast distances follow.
struct FixedLattice {
  /// False when the bins are so narrow that the fast distance cannot tell them apart;
  /// every pair then needs the defining function.
  bool usable = false;
  /// The same for clusters of which the images are known
  /// (../clusters/cluster_images.hh).
  bool usable_with_images = false;
  Metric metric = Metric::isotropic;
  FastMetric fast{};
  /// Bins by which distances may be off before any float operation.
  double lattice_error = 0.0;
  /// The lattice in bins, in the frame in which it is triangular: xx, yx, yy, zx, zy,
  /// zz.
  double rows[6] = {};
  /// Selling parameters of the lattice, in squared bins: 14, 24, 34, 12, 13, 23.
  double selling[6] = {};
  /// Fractional coordinate k of a position p is dot(p, dual[k]) - origin[k].
  Vec3 dual[3];
  double origin[3] = {};
};

/// Error of a distance, in bins, from which on most pairs may be ambiguous.
inline constexpr double largest_ambiguity = 0.35;

/// The lattice of a block of pairs, for positions within `bounds`.
FixedLattice make_fixed_lattice(const MinimumImage& image, const UniformBins& bins,
                                const Bounds& bounds);

/// The metric in double precision, for bins that float cannot tell apart: half as fast.
/// Empty where double cannot either.
std::optional<DoubleMetric> make_double_metric(const MinimumImage& image,
                                               const UniformBins& bins,
                                               const Bounds& bounds);

/// Fractional coordinate `axis` of p as a 32-bit fraction of the edge, modulo 1.
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
