#pragma once

#include <cuda_runtime.h>

namespace starhist::kernels::cuda {

/// Injects faults of a GPU for tests, as the environment variable STARHIST_GPU_FAULT
/// says. Unset or anything else: none.
///
/// refuse:N  every N-th launch asks for more threads than any GPU has; CUDA refuses it
/// trap:N    the N-th launch is preceded by a kernel that breaks the context for good
///
/// Returns the number of threads of a thread block to launch with: `threads`, or too
/// many. Thread-safe.
unsigned threads_or_fault(unsigned threads, cudaStream_t stream);

}  // namespace starhist::kernels::cuda
