#pragma once

#include "codelets/kernels/cuda/filter/approximations.cuh"
#include "codelets/kernels/cuda/kernel_args.hh"

namespace starhist::kernels::cuda {

/// The place of a fast distance, and whether it is certain: 1 or 0.
struct Placed {
  std::uint32_t candidate;
  std::uint32_t sure;
};

/// s + 2^23, rounded down, has floor(s) in its low bits.
inline constexpr float floor_shift = 0x1p23F;

/// Between two places, of which the second is the first or the next.
__device__ __forceinline__ Placed between(float lowest, float highest) {
  const std::uint32_t candidate = __float_as_uint(lowest);
  return {candidate, 1U + candidate - __float_as_uint(highest)};
}

/// What is known of the distances that a certificate gets to see.
enum class Known {
  nothing,
  not_short,  ///< none is below DistanceFilter::certified_start, or
              ///< QuantisedSquares::root_start
  inside,     ///< nor out of range
};

/// The place of a distance with an error in proportion to it: certain where the lowest
/// and the highest that are possible have the same.
template <Known known>
struct ProportionalCandidate {
  __device__ ProportionalCandidate(const KernelArgs& args, float origin)
      : low(args.filter.scale_low),
        high(args.filter.scale_high),
        farthest(args.filter.farthest - origin),
        start(floor_shift + args.filter.certified_start) {}

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
  __device__ explicit RelativeCertificate(const KernelArgs& args)
      : candidate(args, 0.0F) {}

  /// Of squared bins.
  __device__ __forceinline__ Placed operator()(float r2) const {
    return candidate(fast_root(r2));
  }

  ProportionalCandidate<known> candidate;
};

/// For distances beyond some D, a whole number of bins: of e = s^2 - D^2 follows
/// s - D = e / (s + D), whose error is proportional to that difference.
template <Known known>
struct LocalCertificate {
  __device__ LocalCertificate(const KernelArgs& args, float beyond)
      : candidate(args, beyond), from(beyond), from2(beyond * beyond) {}

  /// Of squared bins; the place is that of s - D.
  __device__ __forceinline__ Placed operator()(float e) const {
    constexpr float least = 1e-30F;  // where D is 0, s must not be
    const float excess = known == Known::inside ? e : fmaxf(e, least);
    return candidate(excess * fast_inverse(fast_root(excess + from2) + from));
  }

  ProportionalCandidate<known> candidate;
  float from;
  float from2;
};

/// For errors that are there at s = 0 already: s less the middle of its bin says how
/// far it is from the edges.
struct MarginCertificate {
  __device__ explicit MarginCertificate(const KernelArgs& args)
      : scale(args.filter.scale),
        farthest(args.filter.farthest),
        filter_bound(args.filter.filter_bound) {}

  /// `more_error`: what this pair has besides, in bins.
  __device__ __forceinline__ Placed operator()(float root, float more_error) const {
    const float near = fminf(root, farthest);
    const float floor = __fmaf_rd(near, scale, floor_shift);
    const float middle = floor - (floor_shift - 0.5F);
    const float offset = __fmaf_rn(near, scale, -middle);
    const bool sure = fabsf(offset) <= __fmaf_rn(middle, -filter_bound.error_rel,
                                                 filter_bound.margin - more_error);
    return {__float_as_uint(floor), sure ? 1U : 0U};
  }

  float scale;
  float farthest;
  FilterBound filter_bound;
};

}  // namespace starhist::kernels::cuda
