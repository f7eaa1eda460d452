#pragma once

#include <cstdint>

#include "codelets/core/counting/bin_position.hh"
#include "codelets/core/geometry/minimum_image.hh"

namespace starhist {

/// The bin between explicit edges for a squared distance, or bins.count if it is out of
/// range: the number of edges but the first with r2 >= squared_limit. bins.below must
/// be 0.
STARHIST_HOST_DEVICE std::uint32_t bin_between(const UniformBins& bins, double r2) {
  std::uint32_t beyond = 0;             // r2 is at or beyond this edge
  std::uint32_t from = bins.count + 1;  // and below this one
  while (from - beyond > 1) {
    const std::uint32_t k = beyond + (from - beyond) / 2;
    if (r2 >= bins.edges.squared_limit[k]) {
      beyond = k;
    } else {
      from = k;
    }
  }
  return beyond;
}

/// The defining function for bins of equal width: the bin of a pair at positions a and
/// b, or bins.count if it is out of range. bins.below must be 0.
///
/// Positions are as stored in the file. Every kernel returns exactly the counts of this
/// function, whatever arithmetic it uses internally.
STARHIST_HOST_DEVICE std::uint32_t pair_bin(const MinimumImage& image,
                                            const BinScale& bins, Vec3 a, Vec3 b) {
  return bin_at(bins, bin_position(bins, square_root(minimum_distance2(image, a, b))));
}

/// The defining function for any bins; between explicit edges the squared distance
/// decides.
STARHIST_HOST_DEVICE std::uint32_t pair_bin(const MinimumImage& image,
                                            const UniformBins& bins, Vec3 a, Vec3 b) {
  return bins.edges.squared_limit == nullptr
             ? pair_bin(image, static_cast<const BinScale&>(bins), a, b)
             : bin_between(bins, minimum_distance2(image, a, b));
}

}  // namespace starhist
