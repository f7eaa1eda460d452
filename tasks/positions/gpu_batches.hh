#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "codelets/copying/gpu_copier.hh"
#include "codelets/core/counting/frame.hh"
#include "tasks/positions/batch_positions.hh"

namespace starhist::tasks {

/// Batches of frames whose positions are in the memory of a GPU. Only the workers of
/// this GPU count them, so that nothing is copied to another memory. Must outlive the
/// tasks of the batches.
class GpuBatches {
 public:
  /// Registers the positions of frames on one GPU: of a single frame in place, of
  /// several as a copy on the GPU. `with_contrasts`: requests density contrasts.
  /// There must be a frame. Throws InputError for more coordinates than StarPU can
  /// handle, std::bad_alloc if the GPU has too little memory, and RunError when CUDA
  /// reports an error.
  BatchPositions take(const std::vector<Frame>& frames, bool with_contrasts);

 private:
  codelets::GpuCopier& copier_of(const std::vector<Frame>& frames);

  std::map<int, std::unique_ptr<codelets::GpuCopier>> copiers_;  ///< by CUDA's number
};

}  // namespace starhist::tasks
