#include "codelets/kernels/cuda/blocked/tensor_engine.cuh"
#include "codelets/kernels/cuda/kernels.hh"

namespace starhist::kernels::cuda {

Kernel tensor_kernel(std::uint32_t entries, int shared_bytes, bool ambiguity_start) {
  return ambiguity_start ? kernel_for<TensorEngine<true>>(entries, shared_bytes)
                         : kernel_for<TensorEngine<false>>(entries, shared_bytes);
}

}  // namespace starhist::kernels::cuda
