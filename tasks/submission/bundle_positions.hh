#pragma once

#include <vector>

#include "codelets/core/counting/frame.hh"
#include "tasks/memory/transfer_memory.hh"
#include "tasks/planning/bundle_bounds.hh"
#include "tasks/runtime/data_handle.hh"
#include "tasks/runtime/thread_team.hh"

namespace starhist::tasks {

/// The positions of a bundle, registered with StarPU.
struct BundlePositions {
  TransferMemory::Piece memory;  ///< of all; goes after the handles
  /// By species: x, y, z of the particles of all frames, one frame after the other. No
  /// handle where there is no particle.
  std::vector<DataHandle> handles;
  BundleBounds bounds;
};

/// Copies the positions and finds the boxes around them, if they are wanted: else
/// `bounds` is empty. `memory` must live longer.
BundlePositions take_positions(const std::vector<Frame>& frames, ThreadTeam& team,
                               TransferMemory& memory, bool with_bounds);

}  // namespace starhist::tasks
