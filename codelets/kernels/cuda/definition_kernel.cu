#include "codelets/core/pair_bin.hh"
#include "codelets/kernels/cuda/kernels.hh"

namespace starhist::cuda {

__global__ void count_pairs_by_definition(const __grid_constant__ KernelArgs args) {
  const std::uint64_t rows = args.row_end - args.row_begin;
  const std::uint64_t all = rows * args.column_count;
  const std::uint64_t step = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
  for (std::uint64_t p =
           blockIdx.x * static_cast<std::uint64_t>(blockDim.x) + threadIdx.x;
       p < all; p += step) {
    const auto i = static_cast<std::uint32_t>(args.row_begin + p / args.column_count);
    const auto j = static_cast<std::uint32_t>(p % args.column_count);
    if (args.has_pair(i, j)) {
      atomicAdd(
          &args.counts[pair_bin(args.image, args.bins, args.first[i], args.second[j])],
          1ULL);
    }
  }
}

}  // namespace starhist::cuda
