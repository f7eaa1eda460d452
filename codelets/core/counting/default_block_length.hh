#pragma once

#include <cstdint>

namespace starhist {

/// Number of frames per block for a run of `frames` frames counted in `parts` parts of
/// whole blocks: 16 to 24 blocks, the last of which may be shorter, of one frame each
/// up to 30 frames. Fewer than 16 frames, too few for standard errors, form one block.
/// More parts than blocks get at least one block each, if there are as many frames. All
/// parts get the same length. `frames`, `parts` [>= 1].
std::uint32_t default_block_length(std::uint64_t frames, std::uint64_t parts = 1);

}  // namespace starhist
