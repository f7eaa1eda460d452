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
  PinnedPool::Piece memory;  ///< memory of the handles; freed after them
  /// Memory of frames on a GPU.
  std::shared_ptr<double> gpu_memory;
  /// By species: x, y, z of the particles of all frames, one frame after the other.
  /// Empty for a species without particles.
  std::vector<DataHandle> handles;
  BatchBounds bounds;  ///< empty unless requested
  /// Only for frames on a GPU, if requested: sampled_particles() of the first frame
  /// with particles of the species, x, y, z of each, by species.
  std::vector<std::vector<double>> samples;
};

/// The positions of a batch, and their copies sorted into spatial order.
struct PreparedPositions {
  BatchPositions positions;
  /// By species; empty if positions stay in the order of the file, or before the first
  /// task that needs them is submitted.
  std::vector<DataHandle> sorted;
};

/// Copies the positions of a batch into memory of the pool with the threads of `pool`,
/// and finds the boxes around them if `with_bounds`; only of the `wanted` species,
/// unless that is empty. There must be a frame. `memory` must outlive the result.
/// Throws InputError for more coordinates than StarPU can handle, and std::bad_alloc.
BatchPositions take_positions(const std::vector<Frame>& frames, ThreadPool& pool,
                              PinnedPool& memory, bool with_bounds,
                              const std::vector<bool>& wanted = {});

}  // namespace starhist::tasks
