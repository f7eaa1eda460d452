#pragma once

#include "codelets/kernels/cuda/bits.cuh"
#include "codelets/kernels/cuda/histogram/block_histogram.cuh"

namespace starhist::kernels::cuda {

/// A row and a column: a pair, or the start of a rectangle of pairs.
struct Corner {
  std::uint32_t row;
  std::uint32_t column;
};

/// Ambiguous pairs of a warp of a cluster kernel, in shared memory, that wait for the
/// defining function.
/// When there are enough, each lane of the warp re-evaluates one, while other warps
/// continue.
///
/// A pair is noted as column, lane and bit. Engine::pair_of() turns that into a row and
/// a column when the pair is re-evaluated.
template <class Engine, Range range, int capacity>
class AmbiguityQueue {
 public:
  /// Words of shared memory for a warp, one for each pair.
  static constexpr int words = capacity;

  /// `memory`: `words` for this warp.
  __device__ explicit AmbiguityQueue(std::uint32_t* memory) : entries_(memory) {}

  /// Adds entry_of() of each lane where `has` is true. Returns true if it is true in
  /// any lane. `item`: the row from which Engine::pair_of() counts, and the first
  /// column of the work item. All lanes of the warp call it together. `in_place`:
  /// inlines the code that re-evaluates pairs, which is faster if there are free
  /// registers for it.
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

  /// The entry for bit `bit` of this lane, with columns from `column` on. `added`: the
  /// pair has been counted by Binner::bin_added().
  __device__ __forceinline__ static std::uint32_t entry(const Corner& item,
                                                        std::uint32_t column,
                                                        std::uint32_t bit, bool added) {
    return (column - item.column) / columns * (2U * added_flag) |
           (added ? added_flag : 0U) | not_before(threadIdx.x) % 32U * 32U | bit;
  }

  /// Counts all pairs of the queue. All lanes of the warp call it together.
  template <class Histogram>
  __device__ void reevaluate(const KernelArgs& args, const KernelSlice& slice,
                             const Histogram& histogram, const Corner& item) {
    while (count_ != 0) {
      reevaluate_last<false>(args, slice, histogram, item);
    }
  }

 private:
  static constexpr unsigned all_lanes = 0xffffffffU;

  /// A bit for each lane with a lower number. Computed or read from a special register,
  /// whichever leaves more registers to the enclosing loop: 3 % of the time.
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

  /// Counts the last 32 pairs of the queue, or all if there are fewer.
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
        histogram.template reevaluate_any<range, Engine>(args, slice, row, column,
                                                         added);
      } else {
        histogram.template call_reevaluate<range, Engine>(args, slice, row, column,
                                                          added);
      }
    }
    __syncwarp();
    count_ = left;
  }

  std::uint32_t* entries_;
  std::uint32_t count_ = 0;  // the same in all lanes
};

}  // namespace starhist::kernels::cuda
