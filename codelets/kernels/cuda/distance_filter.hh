#pragma once

#include <cstdint>

#include "codelets/core/base/macros.hh"

namespace starhist::kernels::cuda {

/// Bin candidates are numbered from here: candidate = first_candidate + bin. These are
/// the bits of the float 2^23; a float 2^23 + s, rounded down, has floor(s) in its last
/// bits.
inline constexpr std::uint32_t first_candidate = 0x4b000000;

/// Usual scale of coordinates in bins for the tensor cores. It scales squares by
/// 2^-896, so that the upper bits of the double, shifted left by three, equal the bits
/// of the unscaled value as a float: no conversion is needed.
inline constexpr double tensor_core_scale = 0x1p-448;

/// Step of the coordinates in orthorhombic boxes, in units of 2^-32 of the longest
/// edge: differences of whole steps are exact as floats.
inline constexpr std::uint32_t orthogonal_step = 256;

/// Error bound of an approximate distance s: a pair is certified if s is at least
/// error_abs + error_rel * s away from every bin edge. In bins.
struct FilterBound {
  float error_rel = 0.0F;  ///< relative error of s [dimensionless, >= 0]
  /// Largest distance of s from the middle of its bin for a certified pair, at s = 0
  /// [bins, < 0.5]: 0.5 - error_abs - error_rel / 2. The last term accounts for
  /// replacing s by the middle of the bin in error_rel * s.
  float margin = 0.5F;
};

/// Squared distances as whole steps, for EdgeCertificate and QuantisedCertificate. A
/// squared bin has per_square steps, so few that the squares of two neighbouring bin
/// edges are at most 2^30 steps apart: 32-bit differences then have a bit to spare for
/// the error.
struct QuantisedSquares {
  double step = 0.0;  ///< a step, in squared bins times tensor_core_scale^2
  /// Added to a square so that the last bits of the double count steps; same scale as
  /// step.
  double shift = 0.0;
  std::uint32_t per_square = 1;  ///< steps per squared bin, a power of 2
  std::uint32_t error = 0;       ///< error bound of a squared distance [steps]
  // The following members are only for QuantisedCertificate.
  /// A square in steps, divided by 2^root_shift, fits 32 bits.
  std::uint32_t root_shift = 0;
  float root_scale = 1.0F;  ///< bins per root of such a square
  float root_start = 0.0F;  ///< least distance for which that root is accurate [bins]
  /// Pairs of clusters are counted with it only if the radii of both add up to less
  /// than this [bins].
  float widest_clusters = 0.0F;

  /// Addition to squares that makes all positive, with steps in the last bits.
  STARHIST_HOST_DEVICE double offset() const {
    return shift + step * static_cast<double>(error);
  }
};

/// Constants that convert an approximate distance to a bin candidate and certify it.
/// The approximate distance comes from the fixed-point lattice, in the unit of
/// FastMetric, or from the tensor cores, in bins.
struct DistanceFilter {
  float scale = 1.0F;  ///< bins per unit of the approximate distance [> 0]
  /// Approximate distances are cut off here, which is certainly out of range [same
  /// unit].
  float farthest = 0.0F;
  FilterBound filter_bound;  ///< of distances from the fixed-point lattice
  /// Orthorhombic boxes: edges in units of 2^-32 of the longest edge, rounded to whole
  /// orthogonal_step [0, 2^32].
  float orthogonal_edge[3] = {};
  /// Number of counters, for kernels that have one for the farthest pair.
  std::uint32_t counters = 0;
  /// Scale of coordinates in bins for the tensor cores: tensor_core_scale, or slightly
  /// more, such that rounding scale_low and scale_high costs least.
  double coordinate_scale = tensor_core_scale;
  double inverse_coordinate_scale = 1.0 / tensor_core_scale;
  /// Scale from the approximate distance to bins, lowered (low) or raised (high) by its
  /// relative error bound: the true bin lies between the two.
  float scale_low = 1.0F;
  float scale_high = 1.0F;
  /// Least distance from which scale_low and scale_high hold; pairs below are ambiguous
  /// [bins, >= 0; 0: they hold everywhere].
  float certified_start = 0.0F;
  QuantisedSquares quantised;
};

}  // namespace starhist::kernels::cuda
