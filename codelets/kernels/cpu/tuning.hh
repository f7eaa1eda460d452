#pragma once

#include <cstddef>

namespace starhist::kernels::cpu {

/// Particles of `second` whose coordinates stay in the first-level cache while the rows
/// run over them, 12 bytes each; see README.md for the measurement.
inline constexpr std::size_t columns_per_tile = 1024;

/// Rows of one rectangle: work of a few milliseconds, so that threads end together.
inline constexpr std::size_t rows_per_cluster = 1024;

}  // namespace starhist::kernels::cpu
