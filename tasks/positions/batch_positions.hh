#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "tasks/memory/pinned_pool.hh"
#include "tasks/planning/batch_plan.hh"
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
  /// The density contrast of each species in the first frame that has particles of it,
  /// 1 without particles. Frames of a batch are consecutive and have similar contrasts.
  /// Empty unless requested.
  std::vector<double> density_contrasts;
};

/// The positions of a batch, and their copies sorted into spatial order.
struct PreparedPositions {
  BatchPositions positions;
  /// By species; empty if positions stay in the order of the file, or before the first
  /// task that needs them is submitted.
  std::vector<DataHandle> sorted;

  /// Frees the memory of the sorted copies after the submitted tasks have used it.
  void release_sorted() {
    for (DataHandle& handle : sorted) {
      handle.release_after_use();
    }
  }
};

/// Facts about positions that tasks need.
enum class PositionFacts : std::uint8_t { none, bounds, bounds_and_contrasts };

/// Density contrast of the particles of a species in a frame, from a sample of them;
/// 1 or more.
double density_contrast(const Frame& frame, kernels::PositionSpan positions,
                        const kernels::Bounds& bounds);

/// Copies the positions of a batch into memory of the pool with the threads of `pool`,
/// and finds these facts; only of the `wanted` species, unless that is empty. There
/// must be a frame. Memory for `full_batch` frames is taken if the batch has at least
/// three quarters of them, so that all batches can reuse it. `memory` must outlive the
/// result. Throws InputError for more coordinates than StarPU can handle, and
/// std::bad_alloc.
BatchPositions take_positions(const std::vector<Frame>& frames, ThreadPool& pool,
                              PinnedPool& memory, PositionFacts facts,
                              std::uint64_t full_batch = 1,
                              const std::vector<bool>& wanted = {});

}  // namespace starhist::tasks
