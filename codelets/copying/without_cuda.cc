// Replaces this folder's GPU functions in builds without CUDA and for simulations.
#include <string>

#include "codelets/copying/current_gpu.hh"
#include "codelets/copying/gpu_copier.hh"
#include "codelets/core/base/error.hh"

namespace starhist::codelets {

CurrentGpuGuard::CurrentGpuGuard() noexcept = default;
CurrentGpuGuard::~CurrentGpuGuard() = default;

std::optional<int> gpu_with(const GpuArray&) {
  return std::nullopt;
}

std::unique_ptr<GpuCopier> make_gpu_copier(int gpu) {
  throw InternalError("positions are declared to be on GPU " + std::to_string(gpu) +
                      ", in a build without CUDA");
}

}  // namespace starhist::codelets
