#include <cuda_runtime.h>

#include "codelets/copying/current_gpu.hh"

namespace starhist::codelets {

CurrentGpuGuard::CurrentGpuGuard() noexcept {
  if (cudaGetDevice(&before_) != cudaSuccess) {
    cudaGetLastError();  // clears the error, so that later calls do not report it
    before_ = -1;
  }
}

// Restores only a changed value: otherwise CUDA would initialize a GPU that it has not
// used before.
CurrentGpuGuard::~CurrentGpuGuard() {
  int now = -1;
  if (before_ >= 0 && cudaGetDevice(&now) == cudaSuccess && now != before_) {
    cudaSetDevice(before_);
  }
}

}  // namespace starhist::codelets
