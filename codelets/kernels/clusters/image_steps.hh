#pragma once

#include <cstdint>

#include "codelets/core/counting/bins.hh"
#include "codelets/core/geometry/minimum_image.hh"

namespace starhist::kernels {

/// Lattice vectors that can lead from the shortest displacement of the centres of two
/// clusters to the nearest image of a pair of their particles. The spread of two
/// clusters is the largest displacement that their particles can add, the sum of both
/// radii [bins].
struct ImageSteps {
  static constexpr int most = 31;
  static_assert(most % 2 == 1);  // the zero vector, and pairs of opposite ones

  /// Coefficients of the vectors along the reduced edges. The first vector is zero;
  /// then each vector is followed by its opposite.
  std::int8_t steps[most][3] = {};
  std::int8_t count = 0;  ///< number of vectors, the zero vector included [1, most]
  /// Least spread for which a vector can be needed [bins]; ascending.
  float needed_from[most] = {};
  /// For spreads below `only_sums_below` [bins], a vector from index `sums_begin` on is
  /// needed only if at least two of the vectors [1, sums_begin) are: most are sums of
  /// them.
  std::int8_t sums_begin = 1;
  float only_sums_below = 0.0F;
  /// The list is complete for spreads below this [bins]; 1e30 for open boxes.
  float most_spread = 0.0F;

  /// Number of the opposite of vector k.
  STARHIST_HOST_DEVICE static int opposite(int k) {
    return k == 0 ? 0 : ((k - 1) ^ 1) + 1;
  }
};

/// The vectors of a lattice, with spreads in bins.
///
/// Let V be the Voronoi cell of the lattice and h the spread. The shortest displacement
/// of the centres is in V. The displacement of the centres for the nearest image of a
/// pair is in V enlarged by h. Their difference v, a lattice vector, is in 2 V enlarged
/// by h, so v . f <= |f|^2 + h |f| for every lattice vector f. Hence v can be needed
/// for spreads from the largest of (v . f - |f|^2) / |f| on.
///
/// Sums: if v leads from a displacement D to the nearest image, it leads to a nearer
/// one than v - f does, so D . f >= v . f - |f|^2 / 2. If also v . f >= |f|^2, then f
/// leads to an image nearer than D, and f is needed too. Most vectors that do not
/// belong to a facet of V have two or more such f that do.
ImageSteps image_steps(const MinimumImage& image, const BinScale& bins);

}  // namespace starhist::kernels
