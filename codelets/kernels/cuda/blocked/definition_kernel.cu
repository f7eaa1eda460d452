#include "codelets/core/counting/pair_bin.hh"
#include "codelets/kernels/cuda/kernels.hh"

namespace starhist::kernels::cuda {

__global__ void count_pairs_by_definition(const __grid_constant__ KernelArgs args) {
  const std::uint64_t step = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
  unsigned long long out_of_range = 0;  // often most pairs: added once per thread
  for (std::uint32_t k = 0; k < args.slice_count; ++k) {
    const KernelSlice& slice = args.slice[k];
    const std::uint32_t columns = slice.column_count();
    const std::uint64_t all =
        static_cast<std::uint64_t>(slice.row_end - slice.row_begin) * columns;
    for (std::uint64_t p =
             blockIdx.x * static_cast<std::uint64_t>(blockDim.x) + threadIdx.x;
         p < all; p += step) {
      const auto i = static_cast<std::uint32_t>(slice.row_begin + p / columns);
      const auto j = static_cast<std::uint32_t>(p % columns);
      if (!slice.has_pair(i, j)) {
        continue;
      }
      const std::uint32_t bin =
          pair_bin(args.geometry.image, args.bins, slice.first[i], slice.second[j]);
      if (bin == args.bins.count) {
        ++out_of_range;
      } else {
        atomicAdd(&args.output.counts[bin], 1ULL);
      }
    }
  }
  if (out_of_range > 0) {
    atomicAdd(&args.output.counts[args.bins.count], out_of_range);
  }
}

}  // namespace starhist::kernels::cuda
