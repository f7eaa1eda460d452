#include "codelets/kernels/cuda/histogram/loose_histogram.cuh"
#include "codelets/kernels/cuda/kernels.hh"

namespace starhist::kernels::cuda {

__global__ void __launch_bounds__(threads)
    commit_loose_counts(const __grid_constant__ KernelArgs args,
                        unsigned long long pairs) {
  LooseSums& sums = *args.records.sums;
  const bool right = sums.counted + sums.outside + sums.beyond == pairs;
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    sums.next_unit = right ? args.units : 0U;
    if (right) {
      atomicAdd(&args.counts[args.bins.count],
                sums.outside + sums.beyond + sums.moved_outside);
      atomicAdd(args.skipped_pairs, sums.beyond);
    } else if (args.loose_record->worth_while()) {
      atomicAdd(&args.loose_record->level, 1U);
    }
  }
  for (std::uint32_t bin = blockIdx.x * threads + threadIdx.x;
       right && bin <= args.bins.count; bin += gridDim.x * threads) {
    const unsigned long long total =
        args.records.totals[LooseFields::index_of_total(bin, args.bins.count)] >>
            LooseFields::shift_of_total(bin) &
        0xffffffffU;
    if (total != 0) {
      atomicAdd(&args.counts[bin], total);
    }
  }
}

}  // namespace starhist::kernels::cuda
