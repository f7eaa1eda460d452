#pragma once

namespace starhist::kernels::cuda {

// Roots and inverses of a float by the special function units. Their error bounds are
// in approximation_errors.hh.

__device__ __forceinline__ float fast_root(float x) {
  float root;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
}

__device__ __forceinline__ float fast_inverse_root(float x) {
  float root;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
}

__device__ __forceinline__ float fast_inverse(float x) {
  float inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
  return inverse;
}

}  // namespace starhist::kernels::cuda
