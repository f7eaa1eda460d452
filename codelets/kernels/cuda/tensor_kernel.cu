#include "codelets/kernels/cuda/kernels.hh"
#include "codelets/kernels/cuda/tensor_engine.cuh"

namespace starhist::cuda {

Kernel tensor_kernel(bool windowed, bool doubt_start) {
  if (windowed) {
    return kernel_of<TensorEngine<true>, Range::windowed>();
  }
  return doubt_start ? kernel_of<TensorEngine<true>, Range::limited>()
                     : kernel_of<TensorEngine<false>, Range::limited>();
}

}  // namespace starhist::cuda
