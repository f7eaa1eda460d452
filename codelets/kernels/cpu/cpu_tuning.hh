#pragma once

#include <cstddef>

namespace starhist::kernels::cpu {

/// Columns of a rectangle: their coordinates, 12 bytes each, stay in the L1 cache while
/// the rows run over them.
inline constexpr std::size_t columns_per_tile = 1024;

/// Rows of a rectangle of particles in any order: little enough work for the threads to
/// finish together.
inline constexpr std::size_t rows_per_cluster = 1024;

}  // namespace starhist::kernels::cpu
