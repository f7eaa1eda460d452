#pragma once

#include "codelets/core/geometry/minimum_image.hh"
#include "codelets/kernels/bounds.hh"

namespace starhist::kernels {

/// Error bound of the distance that the cluster kernels compute in double precision,
/// relative to the distance of pair_bin() [unit of the positions]. `bounds` encloses
/// all positions.
///
/// The displacement of a pair is the sum of three: of the two particles from the
/// centres of their clusters, of the two centres (the shortest one), and a lattice
/// vector. A particle's displacement from the centre is its
/// nearest_integer_displacement() from the first particle of the cluster, minus the
/// centre's.
///
/// With X the largest coordinate, L the sum of the lengths of the edges and S = sum
/// |edge_i| |dual_i|, a nearest_integer_displacement() is made of numbers up to M = 2
/// sqrt(3) X (1 + S) + L / 2 in four roundings. All steps together, with centres up to
/// X + L / 2 and up to three lattice vectors, have an error of less than 98 (2 + S) (X
/// + L) u, u = 2^-53. Rounded duals and fractions may choose between two images whose
/// lengths differ by up to 50 S^2 X u. The bound takes 128 for both factors.
/// docs/explanation/certified-counts.md has the derivation.
double displacement_error(const MinimumImage& image, const Bounds& bounds);

}  // namespace starhist::kernels
