#pragma once

#include <cstddef>

#include <cuda_runtime.h>

namespace starhist::testing {

/// Queues a kernel that waits for about `milliseconds`, then copies `bytes` bytes
/// within the GPU. Returns the error of the launch.
cudaError_t copy_late(const void* from, void* to, std::size_t bytes, int milliseconds,
                      cudaStream_t stream);

}  // namespace starhist::testing
