#include <cuda_runtime.h>

#include "codelets/pin_memory.hh"

namespace starhist::codelets {

bool pin_memory(void* memory, std::size_t bytes) noexcept {
  if (cudaHostRegister(memory, bytes, cudaHostRegisterPortable) == cudaSuccess) {
    return true;
  }
  cudaGetLastError();  // clears the error, so that the next launch does not report it
  return false;
}

void unpin_memory(void* memory) noexcept {
  if (cudaHostUnregister(memory) != cudaSuccess) {
    cudaGetLastError();
  }
}

}  // namespace starhist::codelets
