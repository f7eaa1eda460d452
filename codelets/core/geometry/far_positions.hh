#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist {

/// Largest distance of a position from the origin, in box lengths along any periodic
/// edge, and in r_max along an open axis.
///
/// A double has 53 bits. At 2^n box lengths from the origin its unit in the last place
/// is 2^(n-52) box lengths, and the distance of two such positions has an error of up
/// to four of these: from both positions, their difference and its image. With n = 32
/// this is 2^-18, 4 millionths of the box, far below a bin of any practical histogram.
/// Beyond, distances turn into noise: with n = 40 they have an error of a thousandth of
/// the box, with n = 52 no digit is left.
inline constexpr double farthest_position = 0x1p32;

/// True if no position can exceed farthest_position, because no coordinate's absolute
/// value exceeds `coordinate_bound`.
bool all_near(double coordinate_bound, const Box& box, double r_max);

/// Index of the first position (x, y, z of each in `positions`) that exceeds
/// farthest_position; empty without one. Positions are finite.
std::optional<std::size_t> find_far_position(const std::vector<double>& positions,
                                             const Box& box, double r_max);

}  // namespace starhist
