#pragma once

#include "codelets/kernels/cuda/kernel_args.hh"
#include "codelets/kernels/fixed_point/fast_distance.hh"

namespace starhist::kernels::cuda {

/// Operations of fast_distance() on one float.
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

/// Points and squared distances for skewed lattices. Differences of 32-bit fractions
/// wrap around implicitly and are then converted to float. Only the sixteen special
/// function units of a multiprocessor convert.
template <Metric metric>
struct SkewedDisplacement {
  using Point = int4;
  /// Squared distances have an error of their own: FastDistance::search_error_r2.
  static constexpr bool searches = metric == Metric::searched;

  static __device__ Point point(const KernelArgs& args, Vec3 p) {
    return {fixed_coordinate(args.geometry.lattice, 0, p),
            fixed_coordinate(args.geometry.lattice, 1, p),
            fixed_coordinate(args.geometry.lattice, 2, p), 0};
  }

  static __device__ __forceinline__ auto distance2(const KernelArgs& args,
                                                   const Point& a, const Point& b) {
    return fast_distance<metric, DeviceOps>(args.geometry.lattice.fast,
                                            wrapped(a.x, b.x), wrapped(a.y, b.y),
                                            wrapped(a.z, b.z));
  }

 private:
  static __device__ __forceinline__ float wrapped(int a, int b) {
    return static_cast<float>(
        static_cast<int>(static_cast<unsigned>(a) - static_cast<unsigned>(b)));
  }
};

/// Points and squared distances for orthogonal lattices. Only |d| is needed. Along the
/// longest edge, axis 0, coordinates are 32-bit fractions, whose differences wrap
/// around implicitly; converting more than one of three would take the special function
/// units longer than the rest of a pair. Along the others they are floats. All
/// coordinates are whole steps of 2^-24 of the longest edge, so their differences are
/// exact, and so are the edges less these.
///
/// `centred`: an OrthogonalSublattice, with half of its lattice vectors shifted by
/// `args.centre`. The image among these is found axis by axis, too: the components of
/// its displacement are centre - |d|, which is exact for the same reason.
template <bool centred>
struct OrthogonalDisplacement {
  using Point = float4;
  static constexpr bool searches = false;

  static __device__ Point point(const KernelArgs& args, Vec3 p) {
    const std::int32_t x = fixed_coordinate(args.geometry.lattice, 0, p);
    constexpr std::uint32_t step = orthogonal_step;
    const std::uint32_t rounded =
        (static_cast<std::uint32_t>(x) + step / 2U) & ~(step - 1U);
    return {__uint_as_float(rounded), steps(args, 1, p), steps(args, 2, p), 0.0F};
  }

  static __device__ __forceinline__ FastDistance<float> distance2(
      const KernelArgs& args, const Point& a, const Point& b) {
    const auto x = static_cast<float>(
        static_cast<int>(__float_as_uint(a.x) - __float_as_uint(b.x)));
    const float y = shorter(a.y - b.y, args.filter.orthogonal_edge[1]);
    const float z = shorter(a.z - b.z, args.filter.orthogonal_edge[2]);
    const float r2 = norm2(x, y, z);
    if constexpr (centred) {
      return {fminf(r2, norm2(args.centre[0] - fabsf(x), args.centre[1] - y,
                              args.centre[2] - z)),
              0.0F};
    }
    return {r2, 0.0F};
  }

 private:
  static __device__ __forceinline__ float norm2(float x, float y, float z) {
    return __fmaf_rn(z, z, __fmaf_rn(y, y, x * x));
  }
  /// Coordinate of p along an axis in units of 2^-32 of the longest edge.
  static __device__ float steps(const KernelArgs& args, int axis, Vec3 p) {
    constexpr double step = orthogonal_step;
    const double edge = args.filter.orthogonal_edge[axis] / step;
    return static_cast<float>(
        step * rint(0x1p-32 * edge * fixed_coordinate(args.geometry.lattice, axis, p)));
  }
  /// |d| of the nearest image.
  static __device__ __forceinline__ float shorter(float d, float edge) {
    return fminf(fabsf(d), edge - fabsf(d));
  }
};

}  // namespace starhist::kernels::cuda
