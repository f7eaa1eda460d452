#pragma once

#include <array>
#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist {

/// Edges of the cuboid that holds all particles; 0 without particles. `positions`: by
/// species, x, y, z of each particle.
std::array<double, 3> extent_of(const std::vector<std::vector<double>>& positions);

/// The plane of a two-dimensional system: its particles differ in two coordinates only,
/// and along the third the box is open or so thin that it limits the range of g(r).
/// Plane{} for other systems, and for fewer than four particles.
Plane two_dimensional(const Box& box,
                      const std::vector<std::vector<double>>& positions);

/// The plane of particles that lie on a line along an edge of the plane `seen` in which
/// distances are measured; Plane{} if they do not, and for fewer than four particles.
/// `positions`: in that plane, 0 along its normal.
Plane plane_seen_edge_on(Plane seen, const std::vector<std::vector<double>>& positions);

/// The coordinates along the plane's normal, by species and particle. `positions`: by
/// species, x, y, z of each particle.
std::vector<std::vector<double>> heights_of(
    Plane plane, const std::vector<std::vector<double>>& positions);

/// Sets the coordinates along the plane's normal to 0. `positions`: by species, x, y, z
/// of each particle.
void project(Plane plane, std::vector<std::vector<double>>& positions);

}  // namespace starhist
