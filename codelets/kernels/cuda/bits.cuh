#pragma once

#include <cstdint>

namespace starhist::kernels::cuda {

/// Number of the lowest set bit [0, 31]; bits != 0.
__device__ __forceinline__ std::uint32_t lowest_bit(std::uint32_t bits) {
  return static_cast<std::uint32_t>(__ffs(static_cast<int>(bits)) - 1);
}

/// Number of the highest set bit [0, 31]; 2^32 - 1 for bits == 0.
__device__ __forceinline__ std::uint32_t highest_bit(std::uint32_t bits) {
  std::uint32_t number;  // 31 - __clz(bits) would be two subtractions more
  asm("bfind.u32 %0, %1;" : "=r"(number) : "r"(bits));
  return number;
}

/// `bits` without the highest set bit; 0 for 0.
__device__ __forceinline__ std::uint32_t without_highest(std::uint32_t bits) {
  return bits != 0 ? bits ^ 1U << highest_bit(bits) : 0U;
}

/// True if more than one bit is set.
__device__ __forceinline__ bool are_several(std::uint32_t bits) {
  return (bits & (bits - 1U)) != 0;
}

/// Returns `value`, and prevents the compiler from computing anything that depends on
/// it earlier: values of rarely executed code would take registers from the loop.
__device__ __forceinline__ std::uint32_t not_before(std::uint32_t value) {
  asm volatile("" : "+r"(value));
  return value;
}

}  // namespace starhist::kernels::cuda
