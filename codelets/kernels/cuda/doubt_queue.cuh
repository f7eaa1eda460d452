#pragma once

#include "codelets/kernels/cuda/block_histogram.cuh"

namespace starhist::cuda {

/// First row and column of a work item.
struct Corner {
  std::uint32_t row;
  std::uint32_t column;
};

/// The pairs of a warp that wait for the defining function. When there are enough, all
/// lanes settle them together, while other warps go on.
class DoubtQueue {
 public:
  /// Bytes of shared memory for all warps.
  static constexpr int bytes = warps * doubt_capacity * 4;

  __device__ explicit DoubtQueue(std::uint32_t* memory)
      : entries_(memory + threadIdx.x / 32U * doubt_capacity) {}

  /// Takes the pairs in doubt of all lanes, a bit of `doubts` each; pair_of(bit) is
  /// their row and column. All lanes of the warp call it together.
  template <class Histogram, class PairOf>
  __device__ __forceinline__ void take(const KernelArgs& args, const KernelPart& part,
                                       const Histogram& histogram, const Corner& item,
                                       std::uint32_t doubts, PairOf pair_of) {
    const std::uint32_t lanes_before = (1U << threadIdx.x % 32U) - 1U;
    for (std::uint32_t lanes = __ballot_sync(all_lanes, doubts != 0); lanes != 0;
         lanes = __ballot_sync(all_lanes, doubts != 0)) {
      if (count_ + 32U > doubt_capacity) {
        settle(args, part, histogram, item);
      }
      if (doubts != 0) {
        const Corner pair = pair_of(__ffs(static_cast<int>(doubts)) - 1U);
        doubts &= doubts - 1U;
        entries_[count_ + __popc(lanes & lanes_before)] =
            (pair.row - item.row) << column_bits | (pair.column - item.column);
      }
      count_ += __popc(lanes);
    }
  }

  /// Counts what waits. All lanes of the warp call it together.
  template <class Histogram>
  __device__ void settle(const KernelArgs& args, const KernelPart& part,
                         const Histogram& histogram, const Corner& item) {
    __syncwarp();
    for (std::uint32_t k = threadIdx.x % 32U; k < count_; k += 32U) {
      histogram.settle(args, part, item.row + (entries_[k] >> column_bits),
                       item.column + (entries_[k] & (most_item_columns - 1U)));
    }
    __syncwarp();
    count_ = 0;
  }

 private:
  static constexpr unsigned all_lanes = 0xffffffffU;

  std::uint32_t* entries_;
  std::uint32_t count_ = 0;  // the same in all lanes
};

}  // namespace starhist::cuda
