#pragma once

#include <vector>

#include "codelets/core/counting/frame.hh"
#include "tasks/memory/pinned_pool.hh"
#include "tasks/planning/batch_bounds.hh"
#include "tasks/runtime/data_handle.hh"
#include "tasks/runtime/thread_pool.hh"

namespace starhist::tasks {

/// The positions of a batch, registered with StarPU.
struct BatchPositions {
  PinnedPool::Piece memory;  ///< of all; goes after the handles
  /// By species: x, y, z of the particles of all frames, one frame after the other. No
  /// handle where there is no particle.
  std::vector<DataHandle> handles;
  BatchBounds bounds;
};

/// Copies the positions and finds the boxes around them, if they are wanted: else
/// `bounds` is empty. `memory` must live longer.
BatchPositions take_positions(const std::vector<Frame>& frames, ThreadPool& pool,
                              PinnedPool& memory, bool with_bounds);

}  // namespace starhist::tasks
