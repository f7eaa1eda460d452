#pragma once

#include "codelets/kernels/cuda/launch/count_from_host.hh"
#include "codelets/kernels/cuda/launch/device_array.hh"
#include "tests/support/pair_problem.hh"

namespace starhist::testing {

using kernels::cuda::DeviceArray;

inline void check_cuda(cudaError_t error) {
  kernels::cuda::check(error, "run a test");
}

inline bool has_gpu() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

/// The CUDA kernel with the interface of the others.
inline Kernel device_kernel(kernels::cuda::Variant variant) {
  return [variant](std::span<const kernels::PairBlock> blocks, int,
                   std::uint64_t* counts) {
    kernels::cuda::count_from_host(blocks, variant, counts);
    return kernels::CountedPairs{pair_count(blocks), 0, "cuda"};
  };
}

}  // namespace starhist::testing
