#pragma once

#include <cstdint>

#include <cuda_runtime.h>

namespace starhist::kernels::cuda {

/// Injects GPU faults for tests, selected by the environment variable
/// STARHIST_GPU_FAULT. Unset or another value: no fault.
///
/// slow:N    see slow_down()
///
/// refuse:N  every N-th launch asks for more threads than any GPU has; CUDA refuses it
/// trap:N    a kernel before the N-th launch breaks the context permanently
///
/// Returns the number of threads of a thread block to launch with: `threads`, or too
/// many. Thread-safe.
unsigned threads_or_fault(unsigned threads, cudaStream_t stream);

/// Queues a pause of one second per N 10^9 pairs on `stream` if STARHIST_GPU_FAULT is
/// slow:N, as if the GPU were slower. Thread-safe.
void slow_down(std::uint64_t pairs, cudaStream_t stream);

}  // namespace starhist::kernels::cuda
