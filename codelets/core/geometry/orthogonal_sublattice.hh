#pragma once

#include <optional>

#include "codelets/core/geometry/minimum_image.hh"

namespace starhist {

/// Three orthogonal lattice vectors that span the whole lattice or half of it. In the
/// second case the other half is shifted by half the sum of some of the three.
/// Truncated octahedra, rhombic dodecahedra and hexagonal prisms have such vectors. The
/// nearest image is then the nearer one of two that are found axis by axis.
struct OrthogonalSublattice {
  Vec3 edge[3];    ///< the vectors [unit of positions]
  Vec3 dual[3];    ///< dual basis: edge[i] . dual[j] = (i == j)
  bool halved[3];  ///< the shift contains half of this vector; all false: no shift
  /// Boxes are rounded when they are written, so the vectors are only almost
  /// orthogonal. Largest error of a minimum-image displacement if they are replaced by
  /// orthogonal vectors of the same lengths [unit of positions].
  double deviation = 0.0;
};

/// Largest useful deviation [bins]: with more, too many pairs would be so near an edge
/// that they are counted twice.
inline constexpr double most_deviation_in_bins = 0.02;

/// The vectors with the smallest deviation for the lattice of a box that is periodic
/// along three axes. Their coefficients in the reduced basis are at most 2. Empty if
/// the lattice has no such vectors or the deviation exceeds `most_deviation`.
std::optional<OrthogonalSublattice> orthogonal_sublattice(const MinimumImage& image,
                                                          double most_deviation);

}  // namespace starhist
