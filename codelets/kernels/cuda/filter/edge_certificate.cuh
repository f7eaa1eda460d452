#pragma once

#include "codelets/kernels/cuda/filter/certificate.cuh"
#include "codelets/kernels/cuda/tensor_products.cuh"

namespace starhist::kernels::cuda {

/// Certificate for numbers of bins at which a float cannot resolve the position of a
/// distance s in its bin. The float only identifies the nearest edge k. The side of s
/// follows from s^2 - k^2 in the steps of QuantisedSquares, modulo 2^32: the difference
/// fits into 32 bits, the squares need not.
template <Known known>
class EdgeCertificate {
 public:
  __device__ explicit EdgeCertificate(const KernelArgs& args)
      : EdgeCertificate(args, args.bins.count) {}
  /// Distances out of range get the candidate first_candidate + beyond [beyond >=
  /// number of bins].
  __device__ EdgeCertificate(const KernelArgs& args, std::uint32_t beyond)
      : end_(static_cast<float>(args.bins.count) + 0.5F),
        beyond_(first_candidate + beyond),
        start_(first_candidate +
               static_cast<std::uint32_t>(args.filter.certified_start)) {
    // (p - first_candidate)^2 = p (p - 2 first_candidate) + first_candidate^2, the last
    // a multiple of 2^32.
    per_square_ = args.filter.quantised.per_square;
    ambiguity_ = 2U * args.filter.quantised.error;
    slope_ = 2U * first_candidate * per_square_;
    shift_ = args.filter.quantised.offset();
  }

  /// r2: squared distance in squared bins times tensor_core_scale^2.
  __device__ __forceinline__ Placed operator()(double r2) const {
    const float s = fast_root(__uint_as_float(float_bits(r2)));
    const std::uint32_t edge = __float_as_uint(__fadd_rn(s, floor_shift));
    const auto square = static_cast<std::uint32_t>(__double2loint(r2 + shift_));
    // In assembly, because the compiler would factor the sum and need one more
    // instruction.
    std::uint32_t slope;
    asm("mad.lo.u32 %0, %1, %2, %3;"
        : "=r"(slope)
        : "r"(edge), "r"(0U - per_square_), "r"(slope_));
    const std::uint32_t difference = slope * edge + square;
    std::uint32_t candidate =
        edge + static_cast<std::uint32_t>(static_cast<int>(difference) >> 31);
    if constexpr (known == Known::nothing) {
      candidate = max(candidate, first_candidate);  // a square of 0 may be less
    }
    candidate = known == Known::inside || s < end_ ? candidate : beyond_;
    const bool far = known != Known::nothing || candidate >= start_;
    return {candidate, far && sure(difference) ? 1U : 0U};
  }

 private:
  __device__ __forceinline__ bool sure(std::uint32_t difference) const {
    return difference > ambiguity_;
  }

  float end_;
  std::uint32_t beyond_;
  std::uint32_t start_;
  std::uint32_t per_square_;
  std::uint32_t ambiguity_;
  std::uint32_t slope_;
  double shift_;
};

/// EdgeCertificate for squares to which the tensor cores have added
/// QuantisedSquares::offset(): their last bits already count steps, so no operation in
/// double precision is left, which would have to wait for the tensor cores. For fewer
/// than 2^18 bins and distances that are not short.
template <Known known>
class QuantisedCertificate {
 public:
  static_assert(known != Known::nothing);

  /// `beyond`: as for EdgeCertificate.
  __device__ QuantisedCertificate(const KernelArgs& args, std::uint32_t beyond)
      : root_shift_(args.filter.quantised.root_shift),
        root_scale_(args.filter.quantised.root_scale),
        end_(floor_shift + static_cast<float>(args.bins.count)),
        beyond_(first_candidate + beyond),
        per_square_(args.filter.quantised.per_square),
        ambiguity_(2U * args.filter.quantised.error) {}

  /// A bin candidate, and the distance of s from the nearest edge k.
  struct Beside {
    std::uint32_t candidate;
    /// s^2 - k^2 + QuantisedSquares::error [steps], modulo 2^32: at most twice that
    /// error if the pair is ambiguous.
    std::uint32_t difference;
  };

  /// r2: squared distance as above, plus QuantisedSquares::offset().
  __device__ __forceinline__ Beside beside(double r2) const {
    const auto low = static_cast<std::uint32_t>(__double2loint(r2));
    const auto high = static_cast<std::uint32_t>(__double2hiint(r2));
    const std::uint32_t square = __funnelshift_r(low, high, root_shift_);
    const float nearest =
        __fmaf_rn(fast_root(__uint2float_rn(square)), root_scale_, floor_shift);
    // Steps of edge^2 equal its bits squared: first_candidate * per_square is a
    // multiple of 2^31.
    const std::uint32_t edge = __float_as_uint(nearest);
    std::uint32_t slope;  // in assembly, because the compiler would negate the edge
    asm("mul.lo.u32 %0, %1, %2;" : "=r"(slope) : "r"(edge), "r"(0U - per_square_));
    const std::uint32_t difference = slope * edge + low;
    const std::uint32_t candidate =
        edge + static_cast<std::uint32_t>(static_cast<int>(difference) >> 31);
    return {known == Known::inside || nearest <= end_ ? candidate : beyond_,
            difference};
  }

  /// True if the pair is certified. With the least difference of several pairs: if all
  /// are.
  __device__ __forceinline__ bool sure(std::uint32_t difference) const {
    return difference > ambiguity_;
  }

 private:
  std::uint32_t root_shift_;
  float root_scale_;
  float end_;
  std::uint32_t beyond_;
  std::uint32_t per_square_;
  std::uint32_t ambiguity_;
};

/// Format of squared distances from the tensor cores before they are binned, and their
/// certificate. exact: as doubles, for EdgeCertificate; otherwise as floats.
template <bool exact>
struct SquaredDistance {
  using Value = double;
  template <Known known>
  using Certificate = EdgeCertificate<known>;

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

}  // namespace starhist::kernels::cuda
