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

 private:
  codelets::GpuCopier& copier_of(const std::vector<Frame>& frames);

  std::map<int, std::unique_ptr<codelets::GpuCopier>> copiers_;  ///< by CUDA's number
};

}  // namespace starhist::tasks
