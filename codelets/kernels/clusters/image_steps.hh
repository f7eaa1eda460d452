#pragma once

#include <cstdint>

#include "codelets/core/counting/bins.hh"
#include "codelets/core/geometry/minimum_image.hh"

namespace starhist::kernels {

/// Lattice vectors that can lead from the shortest displacement of the centres of two
/// clusters to the image in which particles of theirs are closest.
struct ImageSteps {
  static constexpr int most = 31;
  static_assert(most % 2 == 1);  // no vector without its opposite

  /// Along the edges; none in the first, then each vector beside its opposite.
  std::int8_t steps[most][3] = {};
  std::int8_t count = 0;
  /// A vector can matter to clusters that spread (half the diagonals of both) over so
  /// many bins; ascending.
  float needed_from[most] = {};
  /// For spreads of fewer bins than `only_sums_below`, those from `sums_begin` on are
  /// needed only where at least two of those before are, not counting the first, which
  /// leads nowhere: most are sums of them.
  std::int8_t sums_begin = 1;
  float only_sums_below = 0.0F;
  /// The list is complete for spreads of fewer bins.
  float most_spread = 0.0F;

  /// Number of the opposite of vector k.
  STARHIST_HOST_DEVICE static int opposite(int k) {
    return k == 0 ? 0 : ((k - 1) ^ 1) + 1;
  }
};

/// The list for a lattice.
///
/// With V the lattice's Voronoi cell, the shortest displacement of the centres is in V,
/// and the image of it from which particles h away come closest is in V + h. Their
/// difference v, a lattice vector, is in 2 V + h, so v . f <= |f|^2 + h |f| for every
/// lattice vector f: it is needed from the largest of (v . f - |f|^2) / |f| on.
///
/// Where v leads to the image that is closest, a displacement D, it leads to a closer
/// one than v - f: so D . f >= v . f - |f|^2 / 2, and if v . f >= |f|^2, f leads to an
/// image that is closer than D itself, too. Most vectors that are no facet's of V have
/// two such facets' vectors or more.
ImageSteps image_steps(const MinimumImage& image, const UniformBins& bins);

}  // namespace starhist::kernels
