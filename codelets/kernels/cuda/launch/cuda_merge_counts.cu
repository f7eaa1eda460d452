#include <algorithm>

#include "codelets/kernels/cuda/launch/cuda_merge_counts.hh"

namespace starhist::kernels::cuda {
namespace {

__global__ void add_counts(std::uint64_t* sum, const std::uint64_t* terms,
                           std::size_t size) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t k = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
       k < size; k += step) {
    sum[k] += terms[k];
  }
}

}  // namespace

cudaError_t merge_counts(std::uint64_t* sum, const std::uint64_t* terms,
                         std::size_t size, cudaStream_t stream) {
  constexpr std::size_t threads = 256;
  constexpr std::size_t most_blocks = 1024;
  const std::size_t blocks = std::min((size + threads - 1) / threads, most_blocks);
  if (blocks == 0) {
    return cudaSuccess;
  }
  add_counts<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(sum, terms, size);
  return cudaGetLastError();
}

cudaError_t zero_counts(std::uint64_t* counts, std::size_t size, cudaStream_t stream) {
  return cudaMemsetAsync(counts, 0, size * sizeof(std::uint64_t), stream);
}

}  // namespace starhist::kernels::cuda
