#pragma once

#include "codelets/kernels/cuda/bits.cuh"
#include "codelets/kernels/cuda/filter/ambiguous_queue.cuh"

namespace starhist::kernels::cuda {

/// Ambiguous pairs of a warp of a blocked kernel, in shared memory, that wait for the
/// defining function. An entry has the ambiguous pairs of a lane in one look, up to 32,
/// a bit each (Engine::pair_of): most entries have only one, and a look takes one
/// addition to the queue. When there are enough entries, each lane of the warp
/// re-evaluates a pair, while other warps continue.
template <class Engine>
class AmbiguousLooks {
 public:
  /// 32-bit words of shared memory for a warp.
  static constexpr int words = 2 * ambiguity_capacity;

  /// `memory`: `words` for this warp, aligned to 8 bytes.
  __device__ explicit AmbiguousLooks(std::uint32_t* memory)
      : entries_(reinterpret_cast<uint2*>(memory)) {}

  /// Adds the ambiguous pairs of all lanes, one for each bit of `ambiguous_pairs`, with
  /// columns from `column` on. `item`: the row from which Engine::pair_of() counts, and
  /// the first column of the work item. `added`: the pairs have been counted by
  /// Binner::bin_added() or bin_spared(). `in_place`: inlines the code that
  /// re-evaluates pairs, which is faster if there are free registers for it. All lanes
  /// of the warp call it together.
  template <bool in_place, class Histogram>
  __device__ __forceinline__ void take(const KernelArgs& args, const KernelSlice& slice,
                                       const Histogram& histogram, const Corner& item,
                                       std::uint32_t column,
                                       std::uint32_t ambiguous_pairs, bool added) {
    const std::uint32_t lanes = __ballot_sync(all_lanes, ambiguous_pairs != 0);
    if (lanes == 0) {
      return;
    }
    while (count_ + 32U > ambiguity_capacity) {
      reevaluate_last<in_place>(args, slice, histogram, item);
    }
    if (ambiguous_pairs != 0) {
      entries_[count_ + __popc(lanes & lanes_before())] = {
          ambiguous_pairs, (column - item.column) / columns * (2U * added_flag) |
                               (added ? added_flag : 0U) |
                               not_before(threadIdx.x) % 32U};
    }
    count_ += __popc(lanes);
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
  static constexpr std::uint32_t columns = Engine::look_columns;
  static constexpr std::uint32_t added_flag = 32;
  static_assert(most_item_columns / columns <= 1U << 26U);

  /// A bit for each lane with a lower number.
  __device__ __forceinline__ static std::uint32_t lanes_before() {
    return (1U << threadIdx.x % 32U) - 1U;
  }

  /// Counts a pair of each of the last 32 entries of the queue, or of all if there are
  /// fewer. Entries with further pairs stay.
  template <bool here, class Histogram>
  __device__ __forceinline__ void reevaluate_last(const KernelArgs& args,
                                                  const KernelSlice& slice,
                                                  const Histogram& histogram,
                                                  const Corner& item) {
    const std::uint32_t left = count_ - min(count_, 32U);
    const std::uint32_t k = left + threadIdx.x % 32U;
    __syncwarp();
    uint2 entry{0U, 0U};
    if (k < count_) {
      entry = entries_[k];
      const Corner pair = Engine::pair_of(entry.y % 32U, highest_bit(entry.x));
      const std::uint32_t row = item.row + pair.row;
      const std::uint32_t column =
          item.column + entry.y / (2U * added_flag) * columns + pair.column;
      const bool added = (entry.y & added_flag) != 0;
      if constexpr (here) {
        histogram.template reevaluate_any<Range::limited, Engine>(args, slice, row,
                                                                  column, added);
      } else {
        histogram.template call_reevaluate<Range::limited, Engine>(args, slice, row,
                                                                   column, added);
      }
      entry.x = without_highest(entry.x);
    }
    __syncwarp();  // all have read before entries are replaced
    const std::uint32_t more = __ballot_sync(all_lanes, entry.x != 0);
    if (entry.x != 0) {
      entries_[left + __popc(more & lanes_before())] = entry;
    }
    __syncwarp();
    count_ = left + __popc(more);
  }

  uint2* entries_;
  std::uint32_t count_ = 0;  // the same in all lanes
};

}  // namespace starhist::kernels::cuda
