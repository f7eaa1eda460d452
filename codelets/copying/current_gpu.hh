#pragma once

namespace starhist::codelets {

/// Restores the thread's current GPU on destruction. Does nothing without a GPU, or in
/// a build without CUDA.
class CurrentGpuGuard {
 public:
  CurrentGpuGuard() noexcept;
  ~CurrentGpuGuard();
  CurrentGpuGuard(const CurrentGpuGuard&) = delete;
  CurrentGpuGuard& operator=(const CurrentGpuGuard&) = delete;

 private:
  int before_ = -1;  ///< number of the current GPU [>= 0]; -1: no GPU
};

}  // namespace starhist::codelets
