#include "codelets/merge_counts_cuda.hh"

#include "codelets/kernels/cuda/launch/cuda_merge_counts.hh"
#include "codelets/task_buffers.hh"

namespace starhist::codelets {
namespace {

/// Ends the program with StarPU's message after an error, because counts that cannot be
/// merged are lost.
void check(cudaError_t error) {
  if (error != cudaSuccess) {
    STARPU_CUDA_REPORT_ERROR(error);
  }
}

void merge_on_gpu(void* buffers[], void* /*args*/) noexcept {
  check(kernels::cuda::merge_counts(
      pointer_to<std::uint64_t>(buffers[0]), pointer_to<std::uint64_t>(buffers[1]),
      STARPU_VECTOR_GET_NX(buffers[0]), starpu_cuda_get_local_stream()));
}

/// StarPU calls this before the first task of a worker and does not wait for it. The
/// stream keeps the order.
void zero_on_gpu(void* buffers[], void* /*args*/) noexcept {
  check(kernels::cuda::zero_counts(pointer_to<std::uint64_t>(buffers[0]),
                                   STARPU_VECTOR_GET_NX(buffers[0]),
                                   starpu_cuda_get_local_stream()));
}

}  // namespace

void add_cuda_merge(starpu_codelet& codelet) {
  codelet.cuda_funcs[0] = merge_on_gpu;
  codelet.cuda_flags[0] = STARPU_CUDA_ASYNC;
}

void add_cuda_zero(starpu_codelet& codelet) {
  codelet.cuda_funcs[0] = zero_on_gpu;
  codelet.cuda_flags[0] = STARPU_CUDA_ASYNC;
}

}  // namespace starhist::codelets
