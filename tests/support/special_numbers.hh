#pragma once

#include <limits>

/// Numbers that functions of real numbers must refuse or place at an end.
namespace starhist::testing {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace starhist::testing
