#pragma once

#include "codelets/kernels/cuda/block_histogram.cuh"

namespace starhist::cuda {

/// A row and a column.
struct Corner {
  std::uint32_t row;
  std::uint32_t column;
};

/// The pairs of a warp that wait for the defining function. When there are enough, all
/// lanes settle one each, while other warps go on.
///
/// Noted as column, lane and bit: what pair that is, Engine::pair_of, is found out when
/// all lanes have one to settle.
///
/// `together`: so many of each lane are taken between two branches.
template <class Engine, Range range = Range::limited, int together = 1>
class DoubtQueue {
 public:
  /// Words of shared memory for a warp, one for each pair.
  static constexpr int words = doubt_capacity + 32 * (together - 1);

  /// `memory`: `words` for this warp.
  __device__ explicit DoubtQueue(std::uint32_t* memory) : entries_(memory) {}

  /// Takes the pairs in doubt of all lanes, a bit of `doubts` each, of the columns from
  /// `column` on. `item`: the row that Engine::pair_of counts from, and the work item's
  /// first column. All lanes of the warp call it together. `in_place`: the code that
  /// settles pairs is here, instead of a call: faster where there are registers for it.
  /// `added`: by Judge::judge_added.
  template <bool in_place, class Histogram>
  __device__ __forceinline__ void take(const KernelArgs& args, const KernelPart& part,
                                       const Histogram& histogram, const Corner& item,
                                       std::uint32_t column, std::uint32_t doubts,
                                       bool added) {
    const std::uint32_t lane = threadIdx.x % 32U;
    const std::uint32_t lanes_before = (1U << lane) - 1U;
    const std::uint32_t code = (column - item.column) / columns * (2U * added_flag) |
                               (added ? added_flag : 0U) | lane * 32U;
    std::uint32_t lanes = __ballot_sync(all_lanes, doubts != 0);
    while (lanes != 0) {
      while (count_ + 32U * together > words) {
        settle_last<in_place>(args, part, histogram, item);
      }
#pragma unroll
      for (int k = 0; k < together; ++k) {
        // Nothing but the store depends on whether there is one: so it is no branch.
        const std::uint32_t place = count_ + __popc(lanes & lanes_before);
        const auto above = static_cast<std::uint32_t>(__clz(static_cast<int>(doubts)));
        const std::uint32_t entry = code + (31U - above);  // the highest
        if (doubts != 0) {
          entries_[place] = entry;
        }
        doubts &= __funnelshift_rc(0x7fffffffU, 0U, above);
        count_ += __popc(lanes);
        lanes = __ballot_sync(all_lanes, doubts != 0);
      }
    }
  }

  /// Counts all that wait. All lanes of the warp call it together.
  template <class Histogram>
  __device__ void settle(const KernelArgs& args, const KernelPart& part,
                         const Histogram& histogram, const Corner& item) {
    while (count_ != 0) {
      settle_last<false>(args, part, histogram, item);
    }
  }

 private:
  static constexpr unsigned all_lanes = 0xffffffffU;
  static constexpr std::uint32_t columns = Engine::look_columns;
  static constexpr std::uint32_t added_flag = 1024;
  static_assert(most_item_columns / columns <= 1U << 21U);

  /// Counts the last 32, or all that there are.
  template <bool here, class Histogram>
  __device__ __forceinline__ void settle_last(const KernelArgs& args,
                                              const KernelPart& part,
                                              const Histogram& histogram,
                                              const Corner& item) {
    const std::uint32_t left = count_ - min(count_, 32U);
    const std::uint32_t k = left + threadIdx.x % 32U;
    __syncwarp();
    if (k < count_) {
      const std::uint32_t entry = entries_[k];
      const Corner pair = Engine::pair_of(entry / 32U % 32U, entry % 32U);
      const std::uint32_t row = item.row + pair.row;
      const std::uint32_t column =
          item.column + entry / (2U * added_flag) * columns + pair.column;
      const bool added = (entry & added_flag) != 0;
      if constexpr (here) {
        histogram.template settle_any<range>(args, part, row, column, added);
      } else {
        histogram.template call_settle<range>(args, part, row, column, added);
      }
    }
    __syncwarp();
    count_ = left;
  }

  std::uint32_t* entries_;
  std::uint32_t count_ = 0;  // the same in all lanes
};

}  // namespace starhist::cuda
