#pragma once

#include <cstdint>

namespace starhist::kernels {

/// The images among which the minimum image of every pair of two clusters is. Plain
/// data for the loops.
///
/// With positions a and b relative to the centres of their clusters, image k of the
/// displacement is a - b + shift[k], in bins and in the frame of FixedLattice::rows.
struct NearImages {
  static constexpr int most = 8;

  int count = 0;  ///< 0: not known
  double shift[most][3] = {};
  /// Displacement of the centres in fixed point: shift[k], but for a lattice vector.
  std::int32_t offset[3] = {};

  /// |root of the squared distance from float positions - defining distance| <=
  /// error_rel * distance + error_abs, in bins; the root is not rounded.
  float error_rel = 0.0F;
  float error_abs = 0.0F;

  /// Whether it is worth while to begin the sum of squares with what rounding a + shift
  /// takes off it, and to add that of the longest component last. Then the squared
  /// distance is off by no more than square_error + error_of_row() and
  /// k (square_error_linear + k square_error_square), at a distance of k bins.
  bool with_residuals = false;
  int axes[3] = {0, 1, 2};  ///< in the order in which squares are added
  float column[3] = {};     ///< how far columns reach along these
  float square_error = 0.0F;
  float square_error_linear = 0.0F;
  float square_error_square = 0.0F;
  float square_error_unfused = 0.0F;  ///< more where products are rounded, and k * k is
};

}  // namespace starhist::kernels
