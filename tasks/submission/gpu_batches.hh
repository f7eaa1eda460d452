#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "codelets/copying/gpu_copier.hh"
#include "codelets/core/counting/frame.hh"
#include "tasks/submission/batch_positions.hh"

namespace starhist::tasks {

/// Batches of frames whose positions are in the memory of a GPU. They are counted by
/// the workers of this GPU, so that nothing is copied to another memory. Must live
/// longer than the tasks of the batches.
class GpuBatches {
 public:
  /// Registers the positions of frames on one GPU: those of a single frame as they are,
  /// else a copy within the GPU. `with_samples`: asks for BatchPositions::samples.
  /// There must be a frame. Throws InputError for more coordinates than StarPU can
  /// handle, std::bad_alloc where the GPU has too little memory, and RunError when CUDA
  /// reports an error.
  BatchPositions take(const std::vector<Frame>& frames, bool with_samples);

  /// StarPU's workers of the GPU of these frames, as starpu_task::workerids has them.
  std::vector<std::uint32_t>& workers_of(const std::vector<Frame>& frames);

 private:
  struct Gpu {
    std::unique_ptr<codelets::GpuCopier> copier;
    std::vector<std::uint32_t> workers;
  };
  Gpu& gpu_of(const std::vector<Frame>& frames);

  std::map<int, Gpu> gpus_;  ///< by CUDA's number
};

}  // namespace starhist::tasks
