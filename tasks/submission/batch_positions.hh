#pragma once

#include <memory>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "tasks/memory/pinned_pool.hh"
#include "tasks/planning/batch_bounds.hh"
#include "tasks/runtime/data_handle.hh"
#include "tasks/runtime/thread_pool.hh"

namespace starhist::tasks {

/// The positions of a batch, registered with StarPU.
struct BatchPositions {
  PinnedPool::Piece memory;  ///< what the handles refer to; freed after them
  /// The same of frames on a GPU, in its memory.
  std::shared_ptr<double> gpu_memory;
  /// By species: x, y, z of the particles of all frames, one frame after the other. No
  /// handle where there is no particle.
  std::vector<DataHandle> handles;
  BatchBounds bounds;  ///< empty unless they were asked for
  /// Of frames on a GPU, where they were asked for: sampled_particles() of the first
  /// frame with particles of the species, x, y, z of each, by species.
  std::vector<std::vector<double>> samples;
};

/// The positions of a batch, and those that its tasks have brought into spatial order.
struct PreparedPositions {
  BatchPositions positions;
  /// By species; empty where positions stay in the order of the file, or until tasks
  /// have been submitted that need them.
  std::vector<DataHandle> sorted;
};

/// Copies the positions of a batch into memory of the pool with the threads of `pool`,
/// and finds the boxes around them if `with_bounds`; only of the species that are
/// `wanted`, unless that is empty. There must be a frame. `memory` must live longer
/// than the result. Throws InputError for more coordinates than StarPU can handle, and
/// std::bad_alloc.
BatchPositions take_positions(const std::vector<Frame>& frames, ThreadPool& pool,
                              PinnedPool& memory, bool with_bounds,
                              const std::vector<bool>& wanted = {});

}  // namespace starhist::tasks
