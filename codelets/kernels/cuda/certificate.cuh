#pragma once

#include "codelets/kernels/cuda/approximations.cuh"
#include "codelets/kernels/cuda/kernel_args.hh"
#include "codelets/kernels/cuda/tensor_products.cuh"

namespace starhist::cuda {

/// The place of a fast distance, and whether it is certain: 1 or 0.
struct Placed {
  std::uint32_t place;
  std::uint32_t sure;
};

/// s + 2^23, rounded down, has floor(s) in its low bits.
inline constexpr float floor_shift = 0x1p23F;

/// Between two places, of which the second is the first or the next.
__device__ __forceinline__ Placed between(float lowest, float highest) {
  const std::uint32_t place = __float_as_uint(lowest);
  return {place, 1U + place - __float_as_uint(highest)};
}

/// What is known of the distances that a certificate gets to see.
enum class Known {
  nothing,
  not_short,  ///< none is below KernelArgs::certified_start
  inside,     ///< nor out of range
};

/// The place of a distance with an error in proportion to it: certain where the lowest
/// and the highest that are possible have the same.
template <Known known>
struct ProportionalPlace {
  __device__ ProportionalPlace(const KernelArgs& args, float origin)
      : low(args.scale_low),
        high(args.scale_high),
        farthest(args.farthest - origin),
        start(floor_shift + args.certified_start) {}

  /// Of bins beyond the origin.
  __device__ __forceinline__ Placed operator()(float s) const {
    const float near = known == Known::inside ? s : fminf(s, farthest);
    const float lowest = __fmaf_rd(near, low, floor_shift);
    Placed placed = between(lowest, __fmaf_rd(near, high, floor_shift));
    if constexpr (known == Known::nothing) {
      placed.sure = lowest >= start ? placed.sure : 0U;
    }
    return placed;
  }

  float low;
  float high;
  float farthest;
  float start;
};

/// For errors proportional to s.
template <Known known>
struct RelativeCertificate {
  __device__ explicit RelativeCertificate(const KernelArgs& args) : place(args, 0.0F) {}

  /// Of squared bins.
  __device__ __forceinline__ Placed operator()(float r2) const {
    return place(fast_root(r2));
  }

  ProportionalPlace<known> place;
};

/// For so many bins that a float cannot tell where in its bin a distance is: the root
/// of a float and the rest of its argument, as the sum of two floats.
template <Known known>
struct FineCertificate {
  __device__ explicit FineCertificate(const KernelArgs& args)
      : error(args.fine_error),
        farthest_r2(args.farthest * args.farthest),
        start(floor_shift + args.certified_start) {}

  /// Of squared bins times tensor_unit^2.
  __device__ __forceinline__ Placed operator()(double r2) const {
    constexpr int cut = ~0x1fffffff;  // what a float has no room for
    const double head = __hiloint2double(__double2hiint(r2), __double2loint(r2) & cut);
    float x = __uint_as_float(float_bits(r2));
    float rest = __uint_as_float(float_bits(r2 - head));
    if constexpr (known != Known::inside) {
      x = fminf(fmaxf(x, 1e-30F), farthest_r2);
      rest = fminf(rest, 0x1p-23F * x);
    }
    const float inverse = fast_inverse_root(x);
    const float s = x * inverse;
    const float base = __fadd_rd(s, floor_shift);
    const float fraction = s - (base - floor_shift);
    // One Newton step for the root, of which s is the first part.
    const float more = __fmaf_rn(-s, s, x) + rest;
    const float exact = __fmaf_rn(more, 0.5F * inverse, fraction);
    const float lowest = __fadd_rd(base, exact - error);
    Placed placed = between(lowest, __fadd_rd(base, exact + error));
    if constexpr (known == Known::nothing) {
      placed.sure = lowest >= start ? placed.sure : 0U;
    }
    return placed;
  }

  float error;
  float farthest_r2;
  float start;
};

/// For distances beyond some D, a whole number of bins: of e = s^2 - D^2 follows
/// s - D = e / (s + D), whose error is proportional to that difference.
template <Known known>
struct LocalCertificate {
  __device__ LocalCertificate(const KernelArgs& args, float beyond)
      : place(args, beyond), from(beyond), from2(beyond * beyond) {}

  /// Of squared bins; the place is that of s - D.
  __device__ __forceinline__ Placed operator()(float e) const {
    constexpr float least = 1e-30F;  // where D is 0, s must not be
    const float excess = known == Known::inside ? e : fmaxf(e, least);
    return place(excess * fast_inverse(fast_root(excess + from2) + from));
  }

  ProportionalPlace<known> place;
  float from;
  float from2;
};

/// How squared distances from the tensor cores are kept until they are judged; `fine`:
/// for FineCertificate.
template <bool fine>
struct SquaredDistance {
  using Value = double;
  template <Known known>
  using Certificate = FineCertificate<known>;

  static __device__ double of(double r2) { return r2; }
  static __device__ double smaller(double a, double b) { return a < b ? a : b; }
};
template <>
struct SquaredDistance<false> {
  using Value = float;
  template <Known known>
  using Certificate = RelativeCertificate<known>;

  static __device__ __forceinline__ float of(double r2) {
    return __uint_as_float(float_bits(r2));
  }
  static __device__ __forceinline__ float smaller(float a, float b) {
    return fminf(a, b);
  }
};

/// For errors that are there at s = 0 already: s less the middle of its bin says how
/// far it is from the edges.
struct MarginCertificate {
  __device__ explicit MarginCertificate(const KernelArgs& args)
      : scale(args.scale), farthest(args.farthest), trust(args.trust) {}

  /// `more_error`: what this pair has besides, in bins.
  __device__ __forceinline__ Placed operator()(float root, float more_error) const {
    const float near = fminf(root, farthest);
    const float floor = __fmaf_rd(near, scale, floor_shift);
    const float middle = floor - (floor_shift - 0.5F);
    const float offset = __fmaf_rn(near, scale, -middle);
    const bool sure =
        fabsf(offset) <= __fmaf_rn(middle, -trust.error_rel, trust.margin - more_error);
    return {__float_as_uint(floor), sure ? 1U : 0U};
  }

  float scale;
  float farthest;
  Trust trust;
};

}  // namespace starhist::cuda
