#pragma once

#include <vector>

#include "codelets/core/geometry/region.hh"

namespace starhist {

/// Extent of the space that particles fill: the thickness of a slab or the radius of a
/// cylinder of uniform density whose particles have the same mean square distance from
/// its central plane or axis. Thickness: sqrt(12) times the standard deviation along
/// the normal; radius: sqrt(2) times the root mean square distance. 0 without extent.
/// `positions`: by species, x, y, z of each particle. The box must suit the region.
double measured_extent(Region::Shape shape, const Box& box,
                       const std::vector<std::vector<double>>& positions);

/// Volume of the space that particles fill, of uniform density: a slab or cylinder of
/// measured_extent() along the periodic edges of the box; in an open box a cuboid with
/// the same covariance matrix. An ellipsoid measures 0.89 times its volume. 0 without
/// extent. The box must have one open axis or more.
double measured_volume(const Box& box,
                       const std::vector<std::vector<double>>& positions);

/// Longest edge along the open axes, of its part along the slab's normal or
/// perpendicular to the cylinder's axis; 0 if the file has no such edge.
double open_edge(Region::Shape shape, const Box& box);

}  // namespace starhist
