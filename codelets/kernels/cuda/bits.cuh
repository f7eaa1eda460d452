#pragma once

#include <cstdint>

namespace starhist::kernels::cuda {

/// The number of the lowest bit that is set; one is.
__device__ __forceinline__ std::uint32_t lowest_bit(std::uint32_t bits) {
  return static_cast<std::uint32_t>(__ffs(static_cast<int>(bits)) - 1);
}

/// The number of the highest bit that is set, or 2^32 - 1.
__device__ __forceinline__ std::uint32_t highest_bit(std::uint32_t bits) {
  std::uint32_t number;  // 31 - __clz(bits) would be two subtractions more
  asm("bfind.u32 %0, %1;" : "=r"(number) : "r"(bits));
  return number;
}

/// All but the highest; 0 for 0.
__device__ __forceinline__ std::uint32_t without_highest(std::uint32_t bits) {
  return bits != 0 ? bits ^ 1U << highest_bit(bits) : 0U;
}

__device__ __forceinline__ bool are_several(std::uint32_t bits) {
  return (bits & (bits - 1U)) != 0;
}

/// The same value, but nothing that depends on it is computed before this is reached:
/// for what is seldom done, that would take registers from what is done all the time.
__device__ __forceinline__ std::uint32_t not_before(std::uint32_t value) {
  asm volatile("" : "+r"(value));
  return value;
}

}  // namespace starhist::kernels::cuda
