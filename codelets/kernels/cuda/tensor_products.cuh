#pragma once

#include <cstdint>

#include "codelets/kernels/cuda/kernel_args.hh"

namespace starhist::kernels::cuda {

// Products of the double-precision tensor cores. Matrices are spread over the lanes of
// a warp as defined in the PTX ISA (mma.m16n8k4 and mma.m16n8k8, f64). Lane l holds
//   of A (16 x 4)  rows l / 4 and l / 4 + 8 in column l % 4,
//   of B (4 x 8)   row l % 4 in column l / 4,
//   of C (16 x 8)  rows l / 4 and l / 4 + 8 in columns 2 (l % 4) and 2 (l % 4) + 1.

/// The bits of a squared distance as a float, rounded towards zero. `r2` is in squared
/// bins times tensor_core_scale^2. The sign is dropped: a negative value can only be a
/// zero with rounding errors.
__device__ __forceinline__ std::uint32_t float_bits(double r2) {
  return __funnelshift_l(static_cast<std::uint32_t>(__double2loint(r2)),
                         static_cast<std::uint32_t>(__double2hiint(r2)), 3);
}

/// out = A B + A' B'; `other_a` and `other_b` are A' and B'.
__device__ __forceinline__ void multiply(double (&out)[4], const double (&a)[2],
                                         const double (&other_a)[2], double b,
                                         double other_b) {
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
      "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%10,%10,%10,%10};"
      : "=d"(out[0]), "=d"(out[1]), "=d"(out[2]), "=d"(out[3])
      : "d"(a[0]), "d"(a[1]), "d"(other_a[0]), "d"(other_a[1]), "d"(b), "d"(other_b),
        "d"(0.0));
#else
  for (int half = 0; half < 2; ++half) {
    double sum[2];
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%4,%4};"
        : "=d"(sum[0]), "=d"(sum[1])
        : "d"(other_a[half]), "d"(other_b), "d"(0.0));
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%4,%5};"
        : "=d"(out[2 * half]), "=d"(out[2 * half + 1])
        : "d"(a[half]), "d"(b), "d"(sum[0]), "d"(sum[1]));
  }
#endif
}

/// out = A B + C.
__device__ __forceinline__ void multiply_add(double (&out)[4], const double (&a)[2],
                                             double b, const double (&c)[4]) {
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 "
      "{%0,%1,%2,%3},{%4,%5},{%6},{%7,%8,%9,%10};"
      : "=d"(out[0]), "=d"(out[1]), "=d"(out[2]), "=d"(out[3])
      : "d"(a[0]), "d"(a[1]), "d"(b), "d"(c[0]), "d"(c[1]), "d"(c[2]), "d"(c[3]));
#else
  for (int half = 0; half < 2; ++half) {
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%4,%5};"
        : "=d"(out[2 * half]), "=d"(out[2 * half + 1])
        : "d"(a[half]), "d"(b), "d"(c[2 * half]), "d"(c[2 * half + 1]));
  }
#endif
}

}  // namespace starhist::kernels::cuda
