#pragma once

#include <cstdint>

#include "codelets/core/counting/bin_position.hh"
#include "codelets/core/geometry/minimum_image.hh"

namespace starhist {

/// The defining function: the bin of a pair at positions a and b, or bins.count if it
/// is out of range. bins.below must be 0.
///
/// Positions are as stored in the file. Every kernel returns exactly the counts of this
/// function, whatever arithmetic it uses internally.
STARHIST_HOST_DEVICE std::uint32_t pair_bin(const MinimumImage& image,
                                            const UniformBins& bins, Vec3 a, Vec3 b) {
  return bin_at(bins, bin_position(bins, square_root(minimum_distance2(image, a, b))));
}

}  // namespace starhist
