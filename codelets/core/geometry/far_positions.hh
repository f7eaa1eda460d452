#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist {

/// Most box lengths between a position and the origin, along any periodic edge, and
/// most r_max where an axis is open.
///
/// A double has 53 bits. At 2^n box lengths from the origin its unit in the last place
/// is 2^(n-52) box lengths, and the distance of two such positions has an error of up
/// to four of these: of both positions, of their difference and of its image. With
/// n = 32 this is 2^-18, 4 millionths of the box, far below a bin of any practical
/// histogram. Beyond, distances turn into noise: with n = 40 they have an error of a
/// thousandth of the box, with n = 52 none is left.
inline constexpr double farthest_position = 0x1p32;

/// True if no position can be farther away than farthest_position, as no coordinate is
/// larger than `coordinate_bound` in size.
bool all_near(double coordinate_bound, const Box& box, double r_max);

/// The first position (x, y, z of each in `positions`) that lies farther away than
/// farthest_position; its number, or nothing. Positions are finite.
std::optional<std::size_t> find_far_position(const std::vector<double>& positions,
                                             const Box& box, double r_max);

}  // namespace starhist
