#pragma once

#include "codelets/kernels/cuda/filter/ambiguous_queue.cuh"
#include "codelets/kernels/cuda/filter/certificate.cuh"

namespace starhist::kernels::cuda {

/// 1, which the compiler does not know: what depends on it stays in a register, instead
/// of being made anew for each pair.
__device__ __forceinline__ std::uint32_t unknown_one() {
  std::uint32_t one_lane;
  asm volatile("mov.u32 %0, %%lanemask_eq;" : "=r"(one_lane));
  return __popc(one_lane);
}

/// Counts the pairs of a thread whose place is certain and notes the others.
///
/// Always adds, to a word that nobody reads or nothing where a pair does not count: a
/// condition would become a branch around each addition. Products of 0 or 1 select,
/// as the multipliers have more time than the units for logic.
template <Range range, class Histogram>
class Binner {
 public:
  static constexpr int bits = Histogram::field_bits;

  __device__ Binner(const KernelArgs& args, const Histogram& histogram) {
    base_ = static_cast<std::uint32_t>(__cvta_generic_to_shared(histogram.words));
    size_ = histogram.size;
    set_origin(args, 0);
    one_ = unknown_one();
  }

  /// Places are those of distances beyond so many bins.
  __device__ __forceinline__ void set_origin(const KernelArgs& args,
                                             std::uint32_t origin) {
    first_ = first_candidate + args.output.window_begin - origin;
    behind_ = bits == 32 ? 4U - 4U * first_ : base_ - first_ / Histogram::per_word * 4U;
  }

  /// Before the next `pairs` pairs, pair_bit(pairs, 0), ... , of the 32 between two
  /// calls of take_ambiguous_pairs().
  template <int pairs>
  __device__ __forceinline__ void step() {
    reevaluated_ >>= pairs;
  }
  __device__ static constexpr std::uint32_t pair_bit(int pairs, int k) {
    return 1U << (32 - pairs + k);
  }

  /// Pairs of the last step, from number `first` on, do not count.
  template <int pairs>
  __device__ __forceinline__ void leave_out(int first) {
    reevaluated_ += 0U - pair_bit(pairs, first);
  }

  /// Leaves the pair of `bit` out unless `counts`. `slot`: less than most_carries,
  /// another one for each pair up to propagate_carries().
  __device__ __forceinline__ void binner(const Placed& at, std::uint32_t bit, int slot,
                                         bool counts) {
    if constexpr (range == Range::limited) {
      bin_inside(at, bit, slot, counts);
    } else if constexpr (range == Range::mostly) {
      // Few are outside: they wait with those ambiguous.
      const bool here = counts && at.candidate - first_ < size_;
      add(here ? at.candidate : first_, slot, here ? at.sure : 0U);
      reevaluated_ += here ? at.sure * bit : counts ? 0U : bit;
    } else {
      // A ambiguous pair may belong to a neighbour: both sweeps note it.
      const bool here = counts && at.candidate - first_ < size_;
      const bool beside = counts && at.candidate - (first_ - 1U) < size_ + 2U;
      add(here ? at.candidate : first_, slot, here ? at.sure : 0U);
      reevaluated_ += beside ? at.sure * bit : bit;
    }
  }

  /// The same for a place that is in the window.
  __device__ __forceinline__ void bin_inside(const Placed& at, std::uint32_t bit,
                                             int slot, bool counts) {
    add(at.candidate, slot, counts ? at.sure : 0U);
    reevaluated_ += counts ? at.sure * bit : bit;
  }

  /// The same for places of RelativeCertificate or LocalCertificate: a ambiguous pair
  /// is added as well, to the lower of its two bins. BlockHistogram::reevaluate_added()
  /// has to see to it.
  __device__ __forceinline__ void bin_added(const Placed& at, std::uint32_t bit) {
    static_assert(bits == 32);
    const std::uint32_t address = at.candidate * 4U + (behind_ + base_ - 4U);
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(address));
    reevaluated_ += at.sure * bit;
  }

  /// The same where Histogram is not checked.
  __device__ __forceinline__ void bin_optimistically(const Placed& at,
                                                     std::uint32_t bit, bool counts) {
    add_optimistically(at.candidate, counts ? at.sure : 0U);
    reevaluated_ += counts ? at.sure * bit : bit;
  }

  __device__ __forceinline__ void add_optimistically(std::uint32_t candidate) {
    add_optimistically(candidate, one_);
  }
  __device__ __forceinline__ void add_optimistically(std::uint32_t candidate,
                                                     std::uint32_t one_or_none) {
    static_assert(!Histogram::checked && bits == 8);
    const std::uint32_t address = (candidate & 0x007ffffcU) + base_;
    std::uint32_t addend;  // shifted left by the bytes that the last two bits say
    asm("prmt.b32.b4e %0, %1, %2, %3;"
        : "=r"(addend)
        : "r"(one_or_none), "r"(0U), "r"(candidate));
    asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(address), "r"(addend));
  }

  static constexpr int most_carries = 4;

  /// Looks for carries of the pairs in the first `slots` slots.
  template <int slots>
  __device__ __forceinline__ void propagate_carries(const KernelArgs& args,
                                                    const Histogram& histogram) {
    if constexpr (Histogram::checked) {
      bool any = false;
#pragma unroll
      for (int k = 0; k < slots; ++k) {
        any |= carried(k);
      }
      if (any) {
        bool more = false;
#pragma unroll
        for (int k = 0; k < slots; ++k) {
          bool on = false;
          if (carried(k) && added_[k] != 0) {
            on = histogram.carry(args, place_[k] - first_, old_[k]);
          }
          old_[k] = on ? old_[k] : 0;
          more |= on;
        }
        if (more) {
#pragma unroll
          for (int k = 0; k < slots; ++k) {
            if (old_[k] != 0) {
              histogram.carry_on(args, place_[k] - first_, old_[k]);
            }
          }
        }
      }
    }
  }

  /// The ambiguous pairs since the last call, one bit each, the first one lowest.
  __device__ __forceinline__ std::uint32_t take_ambiguous_pairs() {
    const std::uint32_t ambiguous_pairs = ~reevaluated_;
    reevaluated_ = 0;
    return ambiguous_pairs;
  }

 private:
  __device__ __forceinline__ void add(std::uint32_t candidate, int slot,
                                      std::uint32_t one_or_none) {
    if constexpr (bits == 32) {
      // The word before the first is the one that nobody reads.
      const std::uint32_t address =
          (candidate * 4U + behind_) * one_or_none + (base_ - 4U);
      asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(address));
    } else {
      const std::uint32_t address =
          bits == 16 ? (candidate & ~1U) * 2U + behind_ : (candidate & ~3U) + behind_;
      const std::uint32_t addend = __funnelshift_l(0U, one_or_none, candidate * bits);
      asm volatile("atom.shared.add.u32 %0, [%1], %2;"
                   : "=r"(old_[slot])
                   : "r"(address), "r"(addend));
      place_[slot] = candidate;
      added_[slot] = one_or_none;
    }
  }
  __device__ __forceinline__ bool carried(int slot) const {
    const std::uint32_t field =
        __funnelshift_l(0U, Histogram::largest, place_[slot] * bits);
    return (~old_[slot] & field) == 0;
  }

  std::uint32_t base_;    ///< address of the counts
  std::uint32_t first_;   ///< place of the first of them
  std::uint32_t behind_;  ///< 32 bits: of address 4 * place; else of the word's
  std::uint32_t size_;
  std::uint32_t reevaluated_ = 0;
  std::uint32_t one_;  ///< unknown_one()
  /// bits < 32: place, word before the addition, and whether the pair counted.
  std::uint32_t place_[most_carries];
  std::uint32_t old_[most_carries];
  std::uint32_t added_[most_carries];
};

}  // namespace starhist::kernels::cuda
