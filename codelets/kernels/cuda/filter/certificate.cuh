#pragma once

#include "codelets/kernels/cuda/filter/approximations.cuh"
#include "codelets/kernels/cuda/kernel_args.hh"

namespace starhist::kernels::cuda {

/// Verdict of a certificate on a pair.
struct Placed {
  std::uint32_t candidate;  ///< bin candidate of the approximate distance
  std::uint32_t sure;       ///< 1: certified, 0: ambiguous
};

/// s + 2^23, rounded down, has floor(s) in its low bits.
inline constexpr float floor_shift = 0x1p23F;

/// The verdict for a distance in [lowest, highest], both with floor_shift added and
/// rounded down. Their bins are the same or neighbours; the lower one is the candidate.
__device__ __forceinline__ Placed between(float lowest, float highest) {
  const std::uint32_t candidate = __float_as_uint(lowest);
  return {candidate, 1U + candidate - __float_as_uint(highest)};
}

/// Properties of the distances that a caller passes to a certificate.
enum class Known {
  nothing,
  /// None is below DistanceFilter::certified_start, or QuantisedSquares::root_start.
  not_short,
  inside,  ///< not_short, and all in range
};

/// The verdict for a distance with a proportional error: certified if the lowest and
/// the highest possible distance are in the same bin.
template <Known known>
struct ProportionalCandidate {
  __device__ ProportionalCandidate(const KernelArgs& args, float origin)
      : low(args.filter.scale_low),
        high(args.filter.scale_high),
        farthest(args.filter.farthest - origin),
        start(floor_shift + args.filter.certified_start) {}

  /// s: approximate distance less the origin [bins].
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

/// Certificate for errors proportional to the distance.
template <Known known>
struct RelativeCertificate {
  __device__ explicit RelativeCertificate(const KernelArgs& args)
      : candidate(args, 0.0F) {}

  /// r2: squared distance [squared bins].
  __device__ __forceinline__ Placed operator()(float r2) const {
    return candidate(fast_root(r2));
  }

  ProportionalCandidate<known> candidate;
};

/// Certificate for distances s beyond an origin D, a whole number of bins. With e = s^2
/// - D^2, s - D = e / (s + D), whose error is proportional to that difference.
template <Known known>
struct LocalCertificate {
  __device__ LocalCertificate(const KernelArgs& args, float beyond)
      : candidate(args, beyond), from(beyond), from2(beyond * beyond) {}

  /// e in squared bins. The candidate is the bin of s - D.
  __device__ __forceinline__ Placed operator()(float e) const {
    constexpr float least = 1e-30F;  // if D is 0, s must not be
    const float excess = known == Known::inside ? e : fmaxf(e, least);
    return candidate(excess * fast_inverse(fast_root(excess + from2) + from));
  }

  ProportionalCandidate<known> candidate;
  float from;
  float from2;
};

/// FilterBound::margin less the relative error of the largest counted distance [bins].
__device__ __forceinline__ float margin_of_all(const KernelArgs& args) {
  return __fmaf_rd(static_cast<float>(args.bins.count) + 0.5F,
                   -args.filter.filter_bound.error_rel,
                   args.filter.filter_bound.margin);
}

/// A bin candidate and the rest of the margin, negative for an ambiguous pair [bins].
struct Spared {
  std::uint32_t candidate;
  float spare;
};

/// Certificate for errors that do not vanish at distance 0. `inside`: each distance has
/// a counter, also those out of range.
template <bool inside>
struct MarginCertificate {
  __device__ explicit MarginCertificate(const KernelArgs& args)
      : scale(args.filter.scale),
        farthest(args.filter.farthest),
        margin(margin_of_all(args)) {}

  /// root: approximate distance in the unit of DistanceFilter::scale, certified if it
  /// is within the margin of the middle of its bin. more_error: error bound of this
  /// pair in addition to the filter's [bins].
  __device__ __forceinline__ Placed operator()(float root, float more_error) const {
    const float near = inside ? root : fminf(root, farthest);
    const float floor = floor_of(near);
    return {__float_as_uint(floor),
            from_middle(near, floor) <= margin - more_error ? 1U : 0U};
  }
  /// `root`: a distance in range, without a further error.
  __device__ __forceinline__ Spared spared(float root) const {
    const float floor = floor_of(root);
    return {__float_as_uint(floor), margin - from_middle(root, floor)};
  }

  float scale;
  float farthest;
  float margin;

 private:
  /// The number of a distance's bin, with floor_shift.
  __device__ __forceinline__ float floor_of(float root) const {
    return __fmaf_rd(root, scale, floor_shift);
  }
  /// Distance of `root` from the middle of its bin [bins]. `floor`: floor_of(root).
  __device__ __forceinline__ float from_middle(float root, float floor) const {
    const float middle = floor - (floor_shift - 0.5F);
    return fabsf(__fmaf_rn(root, scale, -middle));
  }
};

}  // namespace starhist::kernels::cuda
