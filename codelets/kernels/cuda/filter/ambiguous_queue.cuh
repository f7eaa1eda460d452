#pragma once

#include "codelets/kernels/cuda/bits.cuh"
#include "codelets/kernels/cuda/histogram/block_histogram.cuh"

namespace starhist::kernels::cuda {

/// A row and a column.
struct Corner {
  std::uint32_t row;
  std::uint32_t column;
};

/// The pairs of a warp that wait for the defining function. When there are enough, all
/// lanes re-evaluate one each, while other warps go on.
///
/// Noted as column, lane and bit: what pair that is, Engine::pair_of, is found out when
/// all lanes have one to re-evaluate.
template <class Engine, Range range = Range::limited, int capacity = ambiguity_capacity>
class AmbiguityQueue {
 public:
  /// Words of shared memory for a warp, one for each pair.
  static constexpr int words = capacity;

  /// `memory`: `words` for this warp.
  __device__ explicit AmbiguityQueue(std::uint32_t* memory) : entries_(memory) {}

  /// Takes the ambiguous pairs of all lanes, a bit of `ambiguous pairs` each, of the
  /// columns from `column` on. `item`: the row that Engine::pair_of counts from, and
  /// the work item's first column. All lanes of the warp call it together. `in_place`:
  /// put().
  template <bool in_place, class Histogram>
  __device__ __forceinline__ void take(const KernelArgs& args, const KernelSlice& slice,
                                       const Histogram& histogram, const Corner& item,
                                       std::uint32_t column,
                                       std::uint32_t ambiguous_pairs, bool added) {
    while (put<in_place>(args, slice, histogram, item, ambiguous_pairs != 0, [&] {
      return entry(item, column, highest_bit(ambiguous_pairs), added);
    })) {
      ambiguous_pairs = without_highest(ambiguous_pairs);
    }
  }

  /// Takes entry_of() of each lane where `has`; returns whether any has. All lanes of
  /// the warp call it together. `in_place`: the code that re-evaluates pairs is here,
  /// instead of a call: faster where there are registers for it.
  template <bool in_place, class Histogram, class Entry>
  __device__ __forceinline__ bool put(const KernelArgs& args, const KernelSlice& slice,
                                      const Histogram& histogram, const Corner& item,
                                      bool has, Entry entry_of) {
    const std::uint32_t lanes = __ballot_sync(all_lanes, has);
    if (lanes == 0) {
      return false;
    }
    while (count_ + 32U > words) {
      reevaluate_last<in_place>(args, slice, histogram, item);
    }
    if (has) {
      entries_[count_ + __popc(lanes & lanes_before<Histogram>())] = entry_of();
    }
    count_ += __popc(lanes);
    return true;
  }

  /// Of this lane, columns from `column` on. `added`: by Binner::bin_added.
  __device__ __forceinline__ static std::uint32_t entry(const Corner& item,
                                                        std::uint32_t column,
                                                        std::uint32_t bit, bool added) {
    return (column - item.column) / columns * (2U * added_flag) |
           (added ? added_flag : 0U) | not_before(threadIdx.x) % 32U * 32U | bit;
  }

  /// Counts all that wait. All lanes of the warp call it together.
  template <class Histogram>
  __device__ void reevaluate(const KernelArgs& args, const KernelSlice& slice,
                             const Histogram& histogram, const Corner& item) {
    while (count_ != 0) {
      reevaluate_last<false>(args, slice, histogram, item);
    }
  }

 private:
  static constexpr unsigned all_lanes = 0xffffffffU;

  /// A bit for each lane with a lower number. Read or computed: which of them leaves
  /// more registers to the loops around is worth 3 % of the time.
  template <class Histogram>
  __device__ __forceinline__ static std::uint32_t lanes_before() {
    if constexpr (Histogram::field_bits == 32 || Histogram::checked) {
      return (1U << threadIdx.x % 32U) - 1U;
    } else {
      std::uint32_t lanes;
      asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes));
      return lanes;
    }
  }

  static constexpr std::uint32_t columns = Engine::look_columns;
  static constexpr std::uint32_t added_flag = 1024;
  static_assert(most_item_columns / columns <= 1U << 21U);

  /// Counts the last 32, or all that there are.
  template <bool here, class Histogram>
  __device__ __forceinline__ void reevaluate_last(const KernelArgs& args,
                                                  const KernelSlice& slice,
                                                  const Histogram& histogram,
                                                  const Corner& item) {
    const std::uint32_t left = count_ - min(count_, 32U);
    const std::uint32_t k = left + threadIdx.x % 32U;
    __syncwarp();
    if (k < count_) {
      const std::uint32_t noted = entries_[k];
      const Corner pair = Engine::pair_of(noted / 32U % 32U, noted % 32U);
      const std::uint32_t row = item.row + pair.row;
      const std::uint32_t column =
          item.column + noted / (2U * added_flag) * columns + pair.column;
      const bool added = (noted & added_flag) != 0;
      if constexpr (here) {
        histogram.template reevaluate_any<range>(args, slice, row, column, added);
      } else {
        histogram.template call_reevaluate<range>(args, slice, row, column, added);
      }
    }
    __syncwarp();
    count_ = left;
  }

  std::uint32_t* entries_;
  std::uint32_t count_ = 0;  // the same in all lanes
};

}  // namespace starhist::kernels::cuda
