#pragma once

#include <array>
#include <vector>

#include "codelets/core/geometry/minimum_image.hh"

namespace starhist {

/// A reduced basis of the lattice that `vectors` (0 to 3, linearly independent) span,
/// with an obtuse superbase (Selling reduction; see MinimumImage). Each vector is
/// recomputed from the input by its integer coefficients, so rounding does not
/// accumulate; a reduced input is returned unchanged. Throws InputError after 10 000
/// steps, for a skew of as many edges.
std::vector<Vec3> reduced_lattice(const std::vector<Vec3>& vectors);

/// Dual vectors: vectors[i] . dual[j] = (i == j), each in the span of `vectors`.
std::vector<Vec3> dual_lattice(const std::vector<Vec3>& vectors);

/// The constants of minimum_distance2() for the lattice that `vectors` span. Throws
/// like reduced_lattice().
MinimumImage make_minimum_image(const std::vector<Vec3>& vectors);

/// |v| of the shortest lattice vector, given a reduced basis; infinity without vectors.
/// Half of it is the radius of the sphere inscribed in the Wigner-Seitz cell.
double shortest_vector(const std::vector<Vec3>& reduced);

/// The largest minimum-image distance, given a reduced basis: the largest circumradius
/// of the Delaunay tetrahedra 0, b_i, b_i + b_j, b_i + b_j + b_k over all orders of the
/// basis. Infinity for fewer than three vectors.
double covering_radius(const std::vector<Vec3>& reduced);

/// Like covering_radius(), for points in the plane that a reduced basis of two vectors
/// spans: the circumradius of the triangle 0, b_1, b_1 + b_2.
double planar_covering_radius(const std::vector<Vec3>& reduced);

}  // namespace starhist
