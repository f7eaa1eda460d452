#pragma once

#include <cstdint>

namespace starhist::cuda {

/// The number of the lowest bit that is set; one is.
__device__ __forceinline__ std::uint32_t lowest_bit(std::uint32_t bits) {
  return static_cast<std::uint32_t>(__ffs(static_cast<int>(bits)) - 1);
}

}  // namespace starhist::cuda
