#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include <cuda_runtime.h>

#include "codelets/core/base/error.hh"

namespace starhist::kernels::cuda {

/// Throws RunError unless `error` is cudaSuccess. `what` completes "on trying to", such
/// as "copy to the GPU".
inline void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) {
    throw RunError(std::string("CUDA reports '") + cudaGetErrorString(error) +
                   "' on trying to " + what);
  }
}

/// A copy of an array in the memory of the current device. For trials and tests only,
/// because StarPU does not know this memory. Functions throw RunError when CUDA reports
/// an error.
template <class T>
class DeviceArray {
 public:
  /// Copies from[0 .. size) to the device.
  DeviceArray(const T* from, std::size_t size) : size_(size) {
    void* data = nullptr;
    check(cudaMalloc(&data, std::max<std::size_t>(size, 1) * sizeof(T)),
          "allocate memory");
    data_.reset(static_cast<T*>(data));
    check(cudaMemcpy(data, from, size * sizeof(T), cudaMemcpyHostToDevice),
          "copy to the GPU");
  }

  T* get() const { return data_.get(); }  ///< in device memory
  /// Copies the array to out[0 .. size). Waits for work on the default stream.
  void copy_to(T* out) const {
    check(cudaMemcpy(out, get(), size_ * sizeof(T), cudaMemcpyDeviceToHost),
          "copy from the GPU");
  }

 private:
  struct Free {
    void operator()(T* data) const { cudaFree(data); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_;
};

}  // namespace starhist::kernels::cuda
