#include "codelets/kernels/cuda/histogram/optimistic_histogram.cuh"
#include "codelets/kernels/cuda/kernels.hh"

namespace starhist::kernels::cuda {

__global__ void __launch_bounds__(threads)
    commit_optimistic_counts(const __grid_constant__ KernelArgs args,
                             unsigned long long pairs) {
  OptimisticSums& sums = *args.cluster_work.records.sums;
  const bool right = sums.counted + sums.outside + sums.beyond == pairs;
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    sums.next_work_item = right ? args.cluster_work.work_items : 0U;
    if (right) {
      atomicAdd(&args.output.counts[args.bins.count],
                sums.outside + sums.beyond + sums.moved_outside);
      atomicAdd(args.output.skipped_pairs, sums.beyond);
    } else if (args.optimistic.record->worth_while()) {
      atomicAdd(&args.optimistic.record->level, 1U);
    }
  }
  for (std::uint32_t bin = blockIdx.x * threads + threadIdx.x;
       right && bin <= args.bins.count; bin += gridDim.x * threads) {
    const unsigned long long total =
        args.cluster_work.records
                .totals[OptimisticFields::index_of_total(bin, args.bins.count)] >>
            OptimisticFields::shift_of_total(bin) &
        0xffffffffU;
    if (total != 0) {
      atomicAdd(&args.output.counts[bin], total);
    }
  }
}

}  // namespace starhist::kernels::cuda
