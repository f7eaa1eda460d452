#include "codelets/kernels/cuda/kernels.hh"
#include "codelets/kernels/cuda/tensor_engine.cuh"

namespace starhist::cuda {

Kernel tensor_kernel(bool windowed, bool doubt_start, bool tiled) {
  if (windowed) {
    return kernel_of<TensorEngine<true>, Range::windowed>(tiled);
  }
  return doubt_start ? kernel_of<TensorEngine<true>, Range::limited>(tiled)
                     : kernel_of<TensorEngine<false>, Range::limited>(tiled);
}

}  // namespace starhist::cuda
