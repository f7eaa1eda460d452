#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "codelets/copying/gpu_copier.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/gpu_array.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::tasks {

/// No worker can count in the memory of a GPU.
class NoGpuError : public RunError {
 public:
  using RunError::RunError;
};

/// Takes positions of callers from the memory of GPUs into frames. StarPU must run as
/// long as this object and its frames. For one thread at a time.
class GpuFrames {
 public:
  explicit GpuFrames(const Runtime& runtime) : runtime_(runtime) {}

  /// Particles that frames have from now on, one species after the other; empty: all,
  /// in their order.
  void set_order(std::vector<std::uint32_t> particles);

  /// Copies counts[s] particles of each species s, within the GPU, and sets
  /// Frame::on_gpu. The array has a particle, and may be used again afterwards. Returns
  /// false where a coordinate is not finite. Throws InputError for an array that is not
  /// on a GPU, not aligned, or of a stream that cannot be waited for; NoGpuError where
  /// StarPU does not use its GPU, or in a build without CUDA; std::bad_alloc where the
  /// GPU has too little memory; and RunError when CUDA reports an error.
  bool take(const GpuArray& array, std::span<const std::uint64_t> counts, Frame& frame);

  /// The positions of a frame from take(), as Frame::positions has them.
  std::vector<std::vector<double>> fetch(const Frame& frame);

 private:
  struct Gpu {
    std::unique_ptr<codelets::GpuCopier> copier;
    bool ordered = false;  ///< knows order_
  };
  /// The GPU with the array.
  Gpu& gpu_with(const GpuArray& array);

  const Runtime& runtime_;
  std::vector<std::uint32_t> order_;
  std::map<int, Gpu> gpus_;  ///< by CUDA's number
};

}  // namespace starhist::tasks
