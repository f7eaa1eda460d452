#pragma once

#include <cuda_runtime.h>

namespace starhist::kernels::cuda {

/// Faults of a GPU for tests, as the environment variable STARHIST_GPU_FAULT asks:
///
/// refuse:N  every N-th launch asks for more threads than any GPU has; CUDA refuses it
/// trap:N    the N-th launch is preceded by a kernel that breaks the context for good
///
/// Returns the number of threads to launch with.
unsigned threads_or_fault(unsigned threads, cudaStream_t stream);

}  // namespace starhist::kernels::cuda
