#pragma once

#include <cstdint>

namespace starhist {

/// The images among which the minimum image of every pair of two tiles is. Plain data
/// for the loops.
///
/// With positions a and b relative to the centres of their tiles, image k of the
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
};

}  // namespace starhist
