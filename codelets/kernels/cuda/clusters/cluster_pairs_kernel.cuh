#pragma once

#include <cstddef>

#include "codelets/kernels/cuda/clusters/work_item_counter.cuh"
#include "codelets/kernels/cuda/clusters/work_item_cursor.cuh"
#include "codelets/kernels/cuda/kernels.hh"

namespace starhist::kernels::cuda {

/// Fetches the next work item of the launch for a warp. Its number exceeds the last
/// item's after the end, and is 2^64 - 1 unless `more`, which lane 0 decides. All lanes
/// of the warp call it together.
__device__ __forceinline__ unsigned long long next_work_item(const KernelArgs& args,
                                                             bool more) {
  unsigned long long work_item = ~0ULL;
  if (threadIdx.x % 32U == 0 && more) {
    work_item = atomicAdd(args.cluster_work.records.next_work_item, 1ULL);
  }
  return __shfl_sync(0xffffffffU, work_item, 0);
}

/// The sum of the values of all lanes, in every lane.
__device__ __forceinline__ unsigned long long sum_of_warp(unsigned long long value) {
  for (int lane = 16; lane > 0; lane /= 2) {
    value += __shfl_xor_sync(0xffffffffU, value, lane);
  }
  return value;
}

/// Shared memory of a thread block before its counters.
struct BesideCounts {
  LatticeVectors lattice;
  WarpMemory warps[cluster_threads / 32];
  std::uint32_t taken;  ///< number of work items taken; optimistic: of slices flushed
  /// The last word receives Binner's additions that do not count.
  std::uint32_t of_nothing[3];

  /// Fills the memory and clears the counters. All threads of the block call it
  /// together, before anything is counted.
  template <class Histogram>
  __device__ __forceinline__ void prepare(const KernelArgs& args,
                                          const Histogram& histogram) {
    lattice.prepare(args);
    histogram.clear();
    if (threadIdx.x == 0) {
      taken = 0;
    }
    __syncthreads();
  }
};
static_assert(offsetof(BesideCounts, of_nothing) + sizeof(BesideCounts::of_nothing) ==
              sizeof(BesideCounts));

/// The cluster kernel: particles in spatial order, all boxes. Each warp fetches the
/// next work item of the launch without waiting for other warps; warps of a block share
/// the histogram.
template <Range range, int bits, bool several_inside>
__global__ void __launch_bounds__(cluster_threads, 1)
    count_pairs_of_clusters(const __grid_constant__ KernelArgs args) {
  extern __shared__ double2 memory[];
  auto& beside = *reinterpret_cast<BesideCounts*>(memory);
  BlockHistogram<bits> histogram;
  histogram.words = reinterpret_cast<std::uint32_t*>(&beside + 1);
  histogram.size = args.output.window_end - args.output.window_begin;
  beside.prepare(args, histogram);

  WorkItemCounter<range, BlockHistogram<bits>, several_inside> counter(
      args, beside.lattice, histogram, WarpMemory::of_warp(beside.warps));
  WorkItemCursor cursor(args);
  // 32-bit counters are added to the totals before they can overflow.
  const std::uint32_t work_items_at_a_time =
      (1U << 31U) / (args.cluster_work.superclusters_per_work_item * superclusters *
                     cluster_size * cluster_size);
  bool more = true;
  for (std::uint32_t end = work_items_at_a_time; more; end += work_items_at_a_time) {
    more = false;
    for (;;) {
      const bool within = threadIdx.x % 32U == 0 && atomicAdd(&beside.taken, 1U) < end;
      const unsigned long long work_item = next_work_item(args, within);
      if (work_item == ~0ULL) {
        more = true;
        break;
      }
      if (!cursor.move_to(work_item)) {
        break;
      }
      counter.count(cursor.slice(), cursor.row_cluster(), cursor.first_super(),
                    [](std::uint32_t) {});
    }
    more = __syncthreads_or(static_cast<int>(more)) != 0;
    histogram.flush(args);
    if (threadIdx.x == 0) {
      beside.taken = end;
    }
    __syncthreads();
  }
  const unsigned long long beyond = sum_of_warp(counter.beyond());
  if (threadIdx.x % 32U == 0 && beyond != 0) {
    atomicAdd(&args.output.counts[args.bins.count], beyond);
    atomicAdd(args.output.skipped_pairs, beyond);
  }
}

}  // namespace starhist::kernels::cuda
