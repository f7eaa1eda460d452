#pragma once

#include <vector>

#include "codelets/core/frame.hh"
#include "codelets/kernels/fixed_point/bounds.hh"
#include "tasks/data_handle.hh"
#include "tasks/thread_team.hh"
#include "tasks/transfer_memory.hh"

namespace starhist {

/// Boxes around the positions, [frame][species].
using BundleBounds = std::vector<std::vector<Bounds>>;

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

}  // namespace starhist
