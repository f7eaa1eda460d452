#pragma once

#include "codelets/kernels/cuda/doubt_queue.cuh"
#include "codelets/kernels/cuda/trust.hh"

namespace starhist::cuda {

/// Which of the places of a distance in the histogram are counted.
enum class Range {
  limited,   ///< all: those beyond the last bin share the entry `out of range`
  windowed,  ///< those of a window
};

/// The place of a fast distance, and whether it is certain.
struct Placed {
  std::uint32_t place;
  bool sure;
};

/// s + 2^23, rounded down, has floor(s) in its low bits.
inline constexpr float floor_shift = 0x1p23F;

/// For errors proportional to s: the place is certain where the lowest and the highest
/// distance that are possible have the same, and with `doubt_start` not below
/// certified_start.
template <bool doubt_start>
struct RelativeCertificate {
  __device__ explicit RelativeCertificate(const KernelArgs& args)
      : low(args.scale_low), high(args.scale_high), farthest(args.farthest) {}

  __device__ __forceinline__ Placed operator()(float root) const {
    const float near = fminf(root, farthest);
    const float lowest = __fmaf_rd(near, low, floor_shift);
    const float highest = __fmaf_rd(near, high, floor_shift);
    bool sure = highest <= lowest;
    if constexpr (doubt_start) {
      sure = sure && lowest >= floor_shift + static_cast<float>(certified_start);
    }
    return {__float_as_uint(lowest), sure};
  }

  float low;
  float high;
  float farthest;
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
    return {__float_as_uint(floor),
            fabsf(offset) <=
                __fmaf_rn(middle, -trust.error_rel, trust.margin - more_error)};
  }

  float scale;
  float farthest;
  Trust trust;
};

/// Counts the pairs of a thread whose place is certain and notes the others.
template <Range range>
class Judge {
 public:
  __device__ Judge(const KernelArgs& args, const BlockHistogram& histogram) {
    const auto base =
        static_cast<std::uint32_t>(__cvta_generic_to_shared(histogram.counts));
    address_ = base - 4U * (first_place + args.window_begin);
    nowhere_ = base + 4U * histogram.size;
    if constexpr (range == Range::windowed) {
      first_ = first_place + args.window_begin;
      size_ = histogram.size;
    }
  }

  /// `bit` stands for the pair in doubts(). It is left out unless `counts`.
  __device__ __forceinline__ void judge(const Placed& at, std::uint32_t bit,
                                        bool counts) {
    const std::uint32_t place = at.place;
    const bool sure = at.sure;
    if constexpr (range == Range::limited) {
      add(place, counts && sure);
      note(bit, counts && !sure);
    } else {
      // A pair in doubt may belong to a neighbour: both sweeps note it.
      add(place, counts && sure && place - first_ < size_);
      note(bit, counts && !sure && place - (first_ - 1U) < size_ + 2U);
    }
  }

  /// The pairs in doubt since the last call, one bit each.
  __device__ std::uint32_t take_doubts() {
    const std::uint32_t doubts = doubts_;
    doubts_ = 0;
    return doubts;
  }

 private:
  /// Always adds, where it does not matter if the pair does not count: a condition
  /// would become a branch around each addition.
  __device__ __forceinline__ void add(std::uint32_t place, bool yes) const {
    const std::uint32_t address = yes ? place * 4U + address_ : nowhere_;
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(address));
  }
  __device__ __forceinline__ void note(std::uint32_t bit, bool yes) {
    if (yes) {
      doubts_ |= bit;
    }
  }

  std::uint32_t address_;    ///< of the count of place 0
  std::uint32_t nowhere_;    ///< of a word that nobody reads
  std::uint32_t first_ = 0;  ///< windowed: place of the first entry
  std::uint32_t size_ = 0;   ///< windowed: number of entries
  std::uint32_t doubts_ = 0;
};

__device__ __forceinline__ float fast_inverse_root(float x) {
  float root;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
}

__device__ __forceinline__ float fast_root(float x) {
  float root;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
}

}  // namespace starhist::cuda
