#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

namespace starhist::kernels::cuda {

/// kernels::cpu::merge_counts() and zero_counts() in the memory of the current device:
/// queued on `stream`, without synchronisation. They return the error of the launch.
cudaError_t merge_counts(std::uint64_t* sum, const std::uint64_t* terms,
                         std::size_t size, cudaStream_t stream);
cudaError_t zero_counts(std::uint64_t* counts, std::size_t size, cudaStream_t stream);

}  // namespace starhist::kernels::cuda
