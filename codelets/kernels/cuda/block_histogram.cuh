#pragma once

#include "codelets/core/pair_bin.hh"
#include "codelets/kernels/cuda/kernel_args.hh"
#include "codelets/kernels/cuda/tuning.hh"

namespace starhist::cuda {

/// The counts of a thread block in shared memory.
///
/// 32-bit counts cannot overflow: flush() adds them to the 64-bit totals before as many
/// pairs as they can hold have been counted.
struct BlockHistogram {
  std::uint32_t* counts;
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
};

}  // namespace starhist::cuda
