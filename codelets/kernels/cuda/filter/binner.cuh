#pragma once

#include "codelets/kernels/cuda/filter/ambiguous_queue.cuh"
#include "codelets/kernels/cuda/filter/certificate.cuh"

namespace starhist::kernels::cuda {

/// Returns 1 without the compiler's knowledge: values that depend on it stay in a
/// register and are not computed again for each pair.
__device__ __forceinline__ std::uint32_t unknown_one() {
  std::uint32_t one_lane;
  asm volatile("mov.u32 %0, %%lanemask_eq;" : "=r"(one_lane));
  return __popc(one_lane);
}

/// Counts the certified pairs of a thread and notes the ambiguous ones, a bit each.
///
/// Every pair adds: one that does not count adds 0, or adds to a word that is never
/// read. A condition would become a branch around each addition. Products with 0 or 1
/// select, because the multipliers are less busy than the units for logic.
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

  /// Makes later bin candidates relative to `origin` bins.
  __device__ __forceinline__ void set_origin(const KernelArgs& args,
                                             std::uint32_t origin) {
    first_ = first_candidate + args.output.window_begin - origin;
    behind_ = bits == 32 ? 4U - 4U * first_ : base_ - first_ / Histogram::per_word * 4U;
  }

  /// Called before each `pairs` of the 32 pairs between two calls of
  /// take_ambiguous_pairs(). Their bits are pair_bit(pairs, 0), pair_bit(pairs, 1), ...
  template <int pairs>
  __device__ __forceinline__ void step() {
    reevaluated_ >>= pairs;
  }
  /// Bit of pair k [0, pairs) of a step.
  __device__ static constexpr std::uint32_t pair_bit(int pairs, int k) {
    return 1U << (32 - pairs + k);
  }

  /// Marks the pairs of the last step from number `first` on as not ambiguous, because
  /// they do not count.
  template <int pairs>
  __device__ __forceinline__ void leave_out(int first) {
    reevaluated_ += 0U - pair_bit(pairs, first);
  }

  /// Counts the pair of `bit`, or leaves it out unless `counts`. `slot` [0,
  /// most_carries): a different one for each pair until propagate_carries() is called.
  __device__ __forceinline__ void binner(const Placed& at, std::uint32_t bit, int slot,
                                         bool counts) {
    if constexpr (range == Range::limited) {
      bin_inside(at, bit, slot, counts);
    } else if constexpr (range == Range::mostly) {
      // Few pairs are outside of the window: they are noted like ambiguous ones.
      const bool here = counts && at.candidate - first_ < size_;
      add(here ? at.candidate : first_, slot, here ? at.sure : 0U);
      reevaluated_ += here ? at.sure * bit : counts ? 0U : bit;
    } else {
      // An ambiguous pair just outside the window may belong to it: both sweeps note
      // it.
      const bool here = counts && at.candidate - first_ < size_;
      const bool beside = counts && at.candidate - (first_ - 1U) < size_ + 2U;
      add(here ? at.candidate : first_, slot, here ? at.sure : 0U);
      reevaluated_ += beside ? at.sure * bit : bit;
    }
  }

  /// binner() for a bin candidate in the window.
  __device__ __forceinline__ void bin_inside(const Placed& at, std::uint32_t bit,
                                             int slot, bool counts) {
    add(at.candidate, slot, counts ? at.sure : 0U);
    reevaluated_ += counts ? at.sure * bit : bit;
  }

  /// Counts a pair of RelativeCertificate or LocalCertificate whether or not it is
  /// certified: an ambiguous pair is added to the lower of its two bins, and
  /// BlockHistogram::reevaluate_added() has to correct it.
  __device__ __forceinline__ void bin_added(const Placed& at, std::uint32_t bit) {
    static_assert(bits == 32);
    const std::uint32_t address = at.candidate * 4U + (behind_ + base_ - 4U);
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(address));
    reevaluated_ += at.sure * bit;
  }

  /// Counts a pair in its bin candidate whether or not it is certified;
  /// BlockHistogram::reevaluate_counted() has to correct an ambiguous pair. Takes the
  /// next bit, without a call of step(); take_ambiguous_spared() returns them.
  __device__ __forceinline__ void bin_spared(const Spared& at) {
    static_assert(bits == 32);
    const std::uint32_t address = at.candidate * 4U + (behind_ + base_ - 4U);
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(address));
    reevaluated_ = __funnelshift_l(__float_as_uint(at.spare), reevaluated_, 1);
  }

  /// bin_inside() for a Histogram that is not checked.
  __device__ __forceinline__ void bin_optimistically(const Placed& at,
                                                     std::uint32_t bit, bool counts) {
    add_optimistically(at.candidate, counts ? at.sure : 0U);
    reevaluated_ += counts ? at.sure * bit : bit;
  }

  /// Adds 1, or `one_or_none`, to the 8-bit field of a bin candidate.
  __device__ __forceinline__ void add_optimistically(std::uint32_t candidate) {
    add_optimistically(candidate, one_);
  }
  __device__ __forceinline__ void add_optimistically(std::uint32_t candidate,
                                                     std::uint32_t one_or_none) {
    static_assert(!Histogram::checked && bits == 8);
    const std::uint32_t address = (candidate & 0x007ffffcU) + base_;
    std::uint32_t addend;  // shifted left by the number of bytes in the last two bits
    asm("prmt.b32.b4e %0, %1, %2, %3;"
        : "=r"(addend)
        : "r"(one_or_none), "r"(0U), "r"(candidate));
    asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(address), "r"(addend));
  }

  static constexpr int most_carries = 4;  ///< number of slots

  /// Adds the carries of the pairs in the first `slots` slots to the totals. Does
  /// nothing if Histogram is not checked.
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
            on = histogram.carry(args, candidate_[k] - first_, old_[k]);
          }
          old_[k] = on ? old_[k] : 0;
          more |= on;
        }
        if (more) {
#pragma unroll
          for (int k = 0; k < slots; ++k) {
            if (old_[k] != 0) {
              histogram.carry_on(args, candidate_[k] - first_, old_[k]);
            }
          }
        }
      }
    }
  }

  /// Returns the ambiguous pairs since the last call, one bit each, the first one
  /// lowest.
  __device__ __forceinline__ std::uint32_t take_ambiguous_pairs() {
    const std::uint32_t ambiguous_pairs = ~reevaluated_;
    reevaluated_ = 0;
    return ambiguous_pairs;
  }

  /// take_ambiguous_pairs() after 32 calls of bin_spared().
  __device__ __forceinline__ std::uint32_t take_ambiguous_spared() {
    const std::uint32_t ambiguous_pairs = __brev(reevaluated_);
    reevaluated_ = 0;
    return ambiguous_pairs;
  }

 private:
  /// Adds one_or_none to the entry of a bin candidate.
  __device__ __forceinline__ void add(std::uint32_t candidate, int slot,
                                      std::uint32_t one_or_none) {
    if constexpr (bits == 32) {
      // The word before the first one is never read.
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
      candidate_[slot] = candidate;
      added_[slot] = one_or_none;
    }
  }
  /// True if the field of a slot was at its maximum before the addition.
  __device__ __forceinline__ bool carried(int slot) const {
    const std::uint32_t field =
        __funnelshift_l(0U, Histogram::largest, candidate_[slot] * bits);
    return (~old_[slot] & field) == 0;
  }

  std::uint32_t base_;   ///< address of the counters in shared memory
  std::uint32_t first_;  ///< bin candidate of the first counter
  /// Converts the byte offset of a bin candidate to an address; with 32 bits relative
  /// to base_ - 4.
  std::uint32_t behind_;
  std::uint32_t size_;             ///< number of counters
  std::uint32_t reevaluated_ = 0;  ///< a bit for each pair that is not ambiguous
  std::uint32_t one_;              ///< unknown_one()
  /// Fewer than 32 bits: bin candidate, word before the addition, and addend.
  std::uint32_t candidate_[most_carries];
  std::uint32_t old_[most_carries];
  std::uint32_t added_[most_carries];
};

}  // namespace starhist::kernels::cuda
