#pragma once

#include "codelets/kernels/fixed_point/fixed_lattice.hh"
#include "codelets/kernels/tiles/tile_boxes.hh"

namespace starhist {

/// What the boxes of two tiles say of the distances of their pairs.
///
/// With Selling parameters p_ij = -b_i . b_j >= 0 of the reduced lattice and y_4 = 0,
/// every image of a displacement with fractional coordinates y has the squared length
/// sum p_ij (y_i - y_j)^2 (minimum_image.hh). Modulo 1, y_i - y_j is no shorter than
/// the gap between the boxes along it, so the sum over the gaps is a lower bound for
/// the minimum image, in any lattice.
class TileDistance {
 public:
  /// Distances are compared with bins.r_max.
  TileDistance(const FixedLattice& lattice, const UniformBins& bins);

  /// True if every pair of tile a and tile b is beyond r_max, by the defining function.
  bool out_of_range(const TileBoxes& boxes_a, std::size_t a, const TileBoxes& boxes_b,
                    std::size_t b) const;

 private:
  double selling_[6];  ///< 14, 24, 34, 12, 13, 23, in squared bins times 2^-64
  double out_of_range_r2_;
};

}  // namespace starhist
