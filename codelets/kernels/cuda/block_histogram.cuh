#pragma once

#include "codelets/core/pair_bin.hh"
#include "codelets/kernels/cuda/kernel_args.hh"
#include "codelets/kernels/cuda/tuning.hh"

namespace starhist::cuda {

/// First row and column of a work item.
struct Corner {
  std::uint32_t row;
  std::uint32_t column;
};

/// The counts of a thread block in shared memory, and its pairs in doubt.
///
/// 32-bit counts cannot overflow: flush() adds them to the 64-bit totals before as many
/// pairs as they can hold have been counted.
struct BlockHistogram {
  std::uint32_t* counts;
  std::uint32_t* doubts;  ///< row in the panel << 8 | column in the tile
  std::uint32_t* doubt_count;
  std::uint32_t size;

  __device__ void clear() const {
    for (std::uint32_t k = threadIdx.x; k < size; k += threads) {
      counts[k] = 0;
    }
  }

  __device__ void flush(const KernelArgs& args) const {
    for (std::uint32_t k = threadIdx.x; k < size; k += threads) {
      const std::uint32_t count = atomicExch(&counts[k], 0U);
      if (count != 0) {
        atomicAdd(&args.counts[args.window_begin + k],
                  static_cast<unsigned long long>(count));
      }
    }
  }

  /// Counts a pair by definition.
  __device__ __noinline__ void settle(const KernelArgs& args, const KernelPart& part,
                                      std::uint32_t row, std::uint32_t column) const {
    const std::uint32_t bin =
        pair_bin(args.image, args.bins, part.first[row], part.second[column]);
    const std::uint32_t place = bin - args.window_begin;
    if (place < size) {
      atomicAdd(&counts[place], 1U);
    }
  }

  /// Puts a pair off; settles it on the spot when there is no room left.
  __device__ void put_off(const KernelArgs& args, const KernelPart& part,
                          const Corner& item, std::uint32_t row,
                          std::uint32_t column) const {
    const std::uint32_t at = atomicAdd(doubt_count, 1U);
    if (at < doubt_capacity) {
      doubts[at] = (row - item.row) << column_bits | (column - item.column);
    } else {
      settle(args, part, row, column);
    }
  }

  /// Counts the pairs that were put off. Between barriers: all threads have put off
  /// theirs, and none puts off another before all are through.
  __device__ void settle_doubts(const KernelArgs& args, const KernelPart& part,
                                const Corner& item) const {
    const std::uint32_t waiting =
        min(*doubt_count, static_cast<std::uint32_t>(doubt_capacity));
    for (std::uint32_t k = threadIdx.x; k < waiting; k += threads) {
      settle(args, part, item.row + (doubts[k] >> column_bits),
             item.column + (doubts[k] & (most_item_columns - 1U)));
    }
  }
};

}  // namespace starhist::cuda
