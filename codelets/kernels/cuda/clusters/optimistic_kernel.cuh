#pragma once

#include "codelets/kernels/cuda/clusters/cluster_pairs_kernel.cuh"
#include "codelets/kernels/cuda/cuda_tuning.hh"
#include "codelets/kernels/cuda/histogram/optimistic_histogram.cuh"

namespace starhist::kernels::cuda {

/// count_pairs_of_clusters() with an OptimisticHistogram. Counts go to the totals of
/// ClusterWork::records; commit_optimistic_counts() checks them. Returns at once unless
/// OptimisticRecord::worth_while().
inline __global__ void __launch_bounds__(cluster_threads, 1)
    count_pairs_of_clusters_optimistically(const __grid_constant__ KernelArgs args) {
  // All threads make the same decision, because a launch of another stream may change
  // the record meanwhile.
  if (__syncthreads_or(static_cast<int>(!args.optimistic.record->worth_while())) != 0) {
    return;
  }
  using Histogram = OptimisticHistogram<sizeof(BesideCounts)>;
  extern __shared__ double2 memory[];
  auto& beside = *reinterpret_cast<BesideCounts*>(memory);
  OptimisticSums& sums = *args.cluster_work.records.sums;
  const Histogram histogram(args.bins.count);
  beside.prepare(args, histogram);

  WorkItemCounter<Range::limited, Histogram, false> counter(
      args, beside.lattice, histogram, WarpMemory::of_warp(beside.warps));
  WorkItemCursor cursor(args);
  const std::uint32_t all = Histogram::word_count(histogram.size);
  const std::uint32_t slices =
      max(args.optimistic.flush_slices >> args.optimistic.record->level,
          args.optimistic.min_flush_slices);
  const std::uint32_t slice = (all + slices - 1U) / slices;
  unsigned long long counted = 0;
  std::uint32_t clusters = 0;  // counted by this warp since it flushed a slice
  const auto flush_slices = [&](std::uint32_t more_clusters) {
    for (clusters += more_clusters; clusters >= flush_interval;
         clusters -= flush_interval) {
      std::uint32_t turn = threadIdx.x % 32U == 0 ? atomicAdd(&beside.taken, 1U) : 0U;
      turn = __shfl_sync(0xffffffffU, turn, 0) % slices;
      counted +=
          histogram.flush(args.cluster_work.records.totals, min(turn * slice, all),
                          min((turn + 1U) * slice, all), threadIdx.x % 32U, 32U);
    }
  };
  for (;;) {
    // Consecutive work items have similar distances, which would fill a few counters.
    const unsigned long long work_item = next_work_item(args, true);
    if (work_item >= args.cluster_work.work_items ||
        !cursor.move_to(work_item * args.optimistic.work_item_step %
                        args.cluster_work.work_items)) {
      break;
    }
    counter.count(cursor.slice(), cursor.row_cluster(), cursor.first_super(),
                  flush_slices);
  }
  __syncthreads();
  counted += histogram.flush(args.cluster_work.records.totals, 0, all, threadIdx.x,
                             blockDim.x);
  if (threadIdx.x < 32U) {
    atomicAdd(&sums.outside,
              static_cast<unsigned long long>(histogram.out_of_range(threadIdx.x)));
  }
  counted = sum_of_warp(counted);
  const unsigned long long beyond = sum_of_warp(counter.beyond());
  if (threadIdx.x % 32U == 0) {
    atomicAdd(&sums.counted, counted);
    atomicAdd(&sums.beyond, beyond);
  }
}

}  // namespace starhist::kernels::cuda
