#pragma once

#include <algorithm>
#include <cmath>

#include "codelets/kernels/count_pairs.hh"

namespace starhist::kernels {

/// The smallest axis-parallel box around positions, in their unit. Empty (low > high)
/// before the first position.
struct Bounds {
  Vec3 low{1e308, 1e308, 1e308};
  Vec3 high{-1e308, -1e308, -1e308};

  /// Adds positions [begin, end) of the span.
  void add(const PositionSpan& span, std::size_t begin, std::size_t end);
  void add(const Bounds& other) {
    low = {std::min(low.x, other.low.x), std::min(low.y, other.low.y),
           std::min(low.z, other.low.z)};
    high = {std::max(high.x, other.high.x), std::max(high.y, other.high.y),
            std::max(high.z, other.high.z)};
  }
  /// Largest |coordinate|.
  double magnitude() const {
    return std::max({-low.x, high.x, -low.y, high.y, -low.z, high.z});
  }
  /// Length of the diagonal, an upper bound of all distances.
  double diameter() const { return std::sqrt(dot(high - low, high - low)); }
  Vec3 centre() const { return 0.5 * (low + high); }
};

}  // namespace starhist::kernels
