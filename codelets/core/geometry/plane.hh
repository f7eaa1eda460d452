#pragma once

#include <cstddef>
#include <string>

namespace starhist {

/// Coordinate plane in which distances are measured. The first value means space.
enum class Plane { none, xy, xz, yz };

/// Name of the enumerator, such as "xy".
std::string to_string(Plane plane);

/// Parses "xy", "xz" and "yz", with the letters in either order, or a normal vector
/// along an axis, "0,0,1". Throws InputError for other texts.
Plane parse_plane(const std::string& text);

/// Index of the axis perpendicular to the plane: 0 (x), 1 (y) or 2 (z). Throws
/// InternalError for distances in space.
std::size_t normal_axis(Plane plane);

/// Number of dimensions in which distances are measured: 2 in a plane, otherwise 3.
int dimension(Plane plane);

}  // namespace starhist
