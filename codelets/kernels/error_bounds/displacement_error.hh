#pragma once

#include "codelets/core/geometry/minimum_image.hh"
#include "codelets/kernels/bounds.hh"

namespace starhist::kernels {

/// How much longer or shorter than pair_bin()'s the displacement of two positions can
/// be that is put together in double precision, in the unit of the positions: from
/// places in two clusters, each nearest_integer_displacement() from the cluster's first
/// particle less that of the cluster's centre, from the shortest displacement of the
/// centres, and from a lattice vector.
///
/// With X the largest coordinate, L the sum of the lengths of the edges and
/// S = sum |edge_i| |dual_i|, a nearest_integer_displacement() is made of numbers up to
/// M = 2 sqrt(3) X (1 + S) + L / 2 in four roundings. All steps together, of centres up
/// to X + L / 2, are off by less than 98 (2 + S) (X + L) u, u = 2^-53, also where one
/// lattice vector is taken off, another one, and then the difference to a third. What
/// duals and fractions are off by decides between images that are as long but for 50
/// S^2 X u.
double displacement_error(const MinimumImage& image, const Bounds& bounds);

}  // namespace starhist::kernels
