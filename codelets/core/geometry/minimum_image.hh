#pragma once

#include "codelets/core/base/vec3.hh"

namespace starhist {

/// The lattice of a box, prepared for the minimum image of displacements.
///
/// The true minimum image is the smallest |d + n.h| over all lattice vectors. `edge` is
/// a reduced basis of the lattice whose superbase b1, b2, b3, b4 = -(b1 + b2 + b3) is
/// obtuse (b_i . b_j <= 0; Selling 1874, Conway & Sloane, Proc. R. Soc. Lond. A 436, 55
/// (1992)). Then the search has two steps:
///
/// 1. Round the fractional coordinates of d to y in [-1/2, 1/2]^3. If the minimum
///    is shorter than half the smallest perpendicular width, it is found:
///    |y_i| <= r / width_i < 1/2 for the image of length r.
/// 2. Otherwise try one step along each pair +-b_S, b_S = sum of b_i, i in S. One step
///    is enough: with p_ij = -b_i . b_j >= 0 and y_4 = 0,
///    |d|^2 = sum p_ij (y_i - y_j)^2. A minimiser that needed two nested sets A > B
///    in place of one would lose to A or to B, unless some y_i - y_j > 1/2
///    across B and another across A; these are four different indices, none of which
///    can be 4, because |y_i| <= 1/2: there are only three. For the same reason a step
///    can only shorten if S separates two of b1, b2, b3: of the 7 pairs of
///    Voronoi-relevant vectors b1 + b2 + b3 is never needed, and an orthogonal box
///    needs none.
///
/// Axes without periodicity have zero vectors, so they are never shifted.
struct MinimumImage {
  Vec3 edge[3];  ///< reduced basis [unit of positions]
  Vec3 dual[3];  ///< dual basis: edge[i] . dual[j] = (i == j)
  /// The vectors b_S that can shorten in step 2; zero from facet_count on.
  Vec3 facet[6];
  int facet_count = 0;  ///< [0, 6]; 0: step 1 is always exact
  /// With facets: step 1 is sufficient for squared distances below this.
  double exact_rounding_r2 = 0.0;
};

/// Displacement a - b after step 1: the nearest-integer image, which is not always the
/// shortest one.
STARHIST_HOST_DEVICE Vec3 nearest_integer_displacement(const MinimumImage& image,
                                                       Vec3 a, Vec3 b) {
  const Vec3 direct = a - b;
  Vec3 d = direct;
  STARHIST_UNROLL
  for (int i = 0; i < 3; ++i) {
    d = shifted(d, nearest_integer(dot(direct, image.dual[i])), image.edge[i]);
  }
  return d;
}

/// Squared minimum-image distance of two positions, wrapped or not.
///
/// Part of the counting contract: IEEE operations in a fixed order. Swapping the
/// positions flips the sign of every intermediate, so the result is symmetric.
STARHIST_HOST_DEVICE double minimum_distance2(const MinimumImage& image, Vec3 a,
                                              Vec3 b) {
  const Vec3 d = nearest_integer_displacement(image, a, b);
  double shortest = dot(d, d);
  if (image.facet_count > 0) {
    // Always all six, without an early exit, so that loops over many pairs can be
    // vectorized. A zero facet gives the same distance again.
    STARHIST_UNROLL
    for (int i = 0; i < 6; ++i) {
      const Vec3 facet = image.facet[i];
      const Vec3 image_d = shifted(d, with_sign(1.0, dot(d, facet)), facet);
      const double r2 = dot(image_d, image_d);
      shortest = r2 < shortest ? r2 : shortest;
    }
  }
  return shortest;
}

}  // namespace starhist
