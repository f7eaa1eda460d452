#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "codelets/copying/gpu_copier.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/gpu_positions.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::tasks {

/// No StarPU worker uses the GPU that holds the positions.
class NoGpuError : public RunError {
 public:
  using RunError::RunError;
};

/// Copies callers' positions in GPU memory into frames. StarPU must run as long as this
/// object and its frames exist. For one thread at a time.
class GpuFrames {
 public:
  explicit GpuFrames(const Runtime& runtime) : runtime_(runtime) {}

  /// Sets the particles of later frames, one species after the other; empty: all, in
  /// their order.
  void set_order(std::vector<std::uint32_t> particles);

  /// Copies counts[s] particles of each species s within the GPU, and sets
  /// Frame::on_gpu. The array must have a particle, and may be reused afterwards.
  /// Returns false if a coordinate is not finite. Throws InputError for an array that
  /// is not on a GPU, not aligned, or on a stream that cannot be waited for; NoGpuError
  /// if StarPU does not use its GPU, or in a build without CUDA; std::bad_alloc if the
  /// GPU has too little memory; and RunError when CUDA reports an error.
  bool take(const GpuArray& array, std::span<const std::uint64_t> counts, Frame& frame);

  /// Returns the positions of a frame from take() in the format of Frame::positions.
  std::vector<std::vector<double>> fetch(const Frame& frame);

 private:
  struct Gpu {
    std::unique_ptr<codelets::GpuCopier> copier;
    bool ordered = false;  ///< order_ is copied to this GPU
  };
  /// The GPU that holds the array.
  Gpu& gpu_with(const GpuArray& array);

  const Runtime& runtime_;
  std::vector<std::uint32_t> order_;
  std::map<int, Gpu> gpus_;  ///< by CUDA's number
};

}  // namespace starhist::tasks
