#pragma once

#include "codelets/kernels/cuda/block_histogram.cuh"

namespace starhist::cuda {

/// Which of the places of a distance in the histogram can occur.
enum class Range {
  limited,   ///< any, all bins are counted
  windowed,  ///< any, only the bins of a window are counted
};

/// Counts the pairs of a thread whose fast distance is trusted and notes the others.
///
/// s + 2^23, rounded down, has floor(s) in its low bits; s less the middle of its bin
/// says how far it is from the edges.
template <Range range>
class Judge {
 public:
  __device__ Judge(const KernelArgs& args, const BlockHistogram& histogram)
      : scale_(args.scale), plain_(args.plain) {
    const auto base =
        static_cast<std::uint32_t>(__cvta_generic_to_shared(histogram.counts));
    address_ = base - 4U * (first_place + args.window_begin);
    if constexpr (range == Range::limited) {
      last_ = first_place + args.bins.count;
    } else {
      before_ = first_place + args.window_begin - 1U;
      span_ = histogram.size + 2U;
      far_ = args.far_place;
    }
  }

  /// Judges a pair by the root of its squared distance, in units of 1 / scale. `bit`
  /// stands for it in doubts().
  __device__ __forceinline__ void operator()(float root, bool counts, std::uint32_t bit,
                                             const Trust& trust) {
    const float floor = __fmaf_rd(root, scale_, 0x1p23F);
    const float middle = floor - (0x1p23F - 0.5F);
    const float offset = __fmaf_rn(root, scale_, -middle);
    const float margin = __fmaf_rn(middle, -trust.error_rel, trust.margin);
    const bool sure = fabsf(offset) <= margin;
    const std::uint32_t place = __float_as_uint(floor);
    if constexpr (range == Range::limited) {
      const bool near = place <= last_;
      add(place, counts && near && sure);
      note(bit, counts && near && !sure);
      far_pairs_ += counts && !near ? 1U : 0U;
    } else {
      const bool near = place - before_ < span_;
      add(place, counts && sure && place - before_ - 1U < span_ - 2U);
      const bool far = place > far_;
      note(bit, counts && near && !far && !sure);
      far_pairs_ += counts && far ? 1U : 0U;
    }
  }
  __device__ __forceinline__ void operator()(float root, bool counts,
                                             std::uint32_t bit) {
    (*this)(root, counts, bit, plain_);
  }

  /// The pairs in doubt since the last call, one bit each.
  __device__ std::uint32_t take_doubts() {
    const std::uint32_t doubts = doubts_;
    doubts_ = 0;
    return doubts;
  }
  __device__ std::uint32_t take_far_pairs() {
    const std::uint32_t pairs = far_pairs_;
    far_pairs_ = 0;
    return pairs;
  }

 private:
  __device__ __forceinline__ void add(std::uint32_t place, bool yes) const {
    if (yes) {
      asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(place * 4U + address_)
                   : "memory");
    }
  }
  __device__ __forceinline__ void note(std::uint32_t bit, bool yes) {
    if (yes) {
      doubts_ |= bit;
    }
  }

  float scale_;
  Trust plain_;
  std::uint32_t address_;     ///< of the count of place 0
  std::uint32_t last_ = 0;    ///< limited: place of the entry `out of range`
  std::uint32_t before_ = 0;  ///< windowed: the place before the window
  std::uint32_t span_ = 0;    ///< windowed: places of the window and beside it
  std::uint32_t far_ = 0;
  std::uint32_t doubts_ = 0;
  std::uint32_t far_pairs_ = 0;
};

__device__ __forceinline__ float fast_root(float x) {
  float root;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
}

}  // namespace starhist::cuda
