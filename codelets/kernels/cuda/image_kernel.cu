#include "codelets/kernels/cuda/image_engine.cuh"
#include "codelets/kernels/cuda/kernels.hh"

namespace starhist::cuda {

Kernel image_kernel(std::uint32_t entries, int shared_bytes) {
  return kernel_for<ImageEngine, true>(entries, shared_bytes);
}

}  // namespace starhist::cuda
