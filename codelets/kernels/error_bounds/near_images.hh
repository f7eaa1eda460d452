#pragma once

#include <cstdint>

namespace starhist::kernels {

/// The images that contain the minimum image of every pair of two clusters, and the
/// error bounds of distances computed from them. Plain data for the CPU's loops.
///
/// If positions a and b are relative to the centres of their clusters, image k of the
/// displacement is a - b + shift[k], in bins and in the frame of FixedLattice::rows.
struct NearImages {
  /// Largest number of images; two clusters that need more are handled as unknown.
  static constexpr int most = 8;

  int count = 0;  ///< [0, most]; 0: unknown, each pair's image is searched
  /// Displacement of the centres, image k [bins].
  double shift[most][3] = {};
  /// Displacement of the centres in fixed point [2^-32 of an edge]: shift[k] modulo the
  /// lattice.
  std::int32_t offset[3] = {};

  /// Error bound without residuals: |root of the squared distance from float positions
  /// - defining distance| <= error_rel * distance + error_abs, in bins, before the root
  /// is rounded.
  float error_rel = 0.0F;
  float error_abs = 0.0F;

  /// True: the sum of squares starts with the residual, the rounding error of a +
  /// shift, and the square of the longest component is added last. The error of the
  /// squared distance at k bins is then at most square_error + error_of_row() + k
  /// (square_error_linear + k square_error_square), in squared bins.
  bool with_residuals = false;
  int axes[3] = {0, 1, 2};  ///< in the order in which squares are added
  float column[3] = {};     ///< extent of the cluster of columns along these [bins]
  float square_error = 0.0F;
  float square_error_linear = 0.0F;
  float square_error_square = 0.0F;
  /// Added to square_error if multiply_add rounds its product [squared bins].
  float square_error_unfused = 0.0F;
};

}  // namespace starhist::kernels
