#pragma once

#include "codelets/kernels/fixed_point/fast_distance.hh"
#include "codelets/kernels/fixed_point/fixed_lattice.hh"

namespace starhist::cuda {

/// Operations of the fast distance on one float.
struct DeviceOps {
  static __device__ __forceinline__ float multiply_add(float a, float b, float c) {
    return __fmaf_rn(a, b, c);
  }
  static __device__ __forceinline__ float magnitude(float v) { return fabsf(v); }
  static __device__ __forceinline__ float smaller(float a, float b) {
    return fminf(a, b);
  }
  static __device__ __forceinline__ float where_less(float a, float b, float yes,
                                                     float no) {
    return a < b ? yes : no;
  }
};

/// Skewed lattices: differences of 32-bit fractions wrap around by themselves, and are
/// then converted; only the sixteen special function units of a multiprocessor convert.
template <Metric metric>
struct DisplacementOf {
  using Point = int4;

  static __device__ Point point(const FixedLattice& lattice, Vec3 p) {
    return {fixed_coordinate(lattice, 0, p), fixed_coordinate(lattice, 1, p),
            fixed_coordinate(lattice, 2, p), 0};
  }

  static __device__ __forceinline__ auto distance2(const FastMetric& fast,
                                                   const Point& a, const Point& b) {
    return fast_distance<metric, DeviceOps>(fast, wrapped(a.x, b.x), wrapped(a.y, b.y),
                                            wrapped(a.z, b.z));
  }

 private:
  static __device__ __forceinline__ float wrapped(int a, int b) {
    return static_cast<float>(
        static_cast<int>(static_cast<unsigned>(a) - static_cast<unsigned>(b)));
  }
};

/// Orthogonal lattices: only |d| is needed, so 24-bit fractions as floats do, whose
/// differences and complements are exact.
template <bool cubic>
struct OrthogonalDisplacement {
  using Point = float4;

  static __device__ Point point(const FixedLattice& lattice, Vec3 p) {
    return {fraction(lattice, 0, p), fraction(lattice, 1, p), fraction(lattice, 2, p),
            0.0F};
  }

  static __device__ __forceinline__ FastDistance<float> distance2(
      const FastMetric& fast, const Point& a, const Point& b) {
    float x = shorter(a.x - b.x);
    float y = shorter(a.y - b.y);
    float z = shorter(a.z - b.z);
    if constexpr (!cubic) {
      x *= 256.0F * fast.row[0];
      y *= 256.0F * fast.row[2];
      z *= 256.0F * fast.row[5];
    }
    return {__fmaf_rn(z, z, __fmaf_rn(y, y, x * x)), 0.0F};
  }

 private:
  static __device__ float fraction(const FixedLattice& lattice, int axis, Vec3 p) {
    const auto fine = static_cast<unsigned>(fixed_coordinate(lattice, axis, p));
    return static_cast<float>(static_cast<int>(fine + 128U) >> 8);
  }
  static __device__ __forceinline__ float shorter(float d) {
    return fminf(fabsf(d), 0x1p24F - fabsf(d));
  }
};
template <>
struct DisplacementOf<Metric::isotropic> : OrthogonalDisplacement<true> {};
template <>
struct DisplacementOf<Metric::diagonal> : OrthogonalDisplacement<false> {};

}  // namespace starhist::cuda
