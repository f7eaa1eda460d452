#pragma once

namespace starhist::codelets {

/// While it lives others may change the thread's current GPU, which is then restored.
/// Does nothing without a GPU, or in a build without CUDA.
class KeptGpu {
 public:
  KeptGpu() noexcept;
  ~KeptGpu();
  KeptGpu(const KeptGpu&) = delete;
  KeptGpu& operator=(const KeptGpu&) = delete;

 private:
  int before_ = -1;  ///< number of the current GPU [>= 0]; -1: there is none
};

}  // namespace starhist::codelets
