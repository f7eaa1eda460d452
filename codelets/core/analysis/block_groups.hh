#pragma once

#include <cstddef>

namespace starhist::analysis {

/// Groups of consecutive blocks, as equal in number as possible. The jackknife needs
/// some tens of groups; its time and memory grow with their number.
struct BlockGroups {
  std::size_t blocks = 0;  ///< number of blocks
  std::size_t groups = 0;  ///< number of groups [<= blocks]

  BlockGroups(std::size_t block_count, std::size_t most_groups)
      : blocks(block_count),
        groups(block_count < most_groups ? block_count : most_groups) {}

  /// Number of the group of a block.
  std::size_t of(std::size_t block) const { return block * groups / blocks; }
};

/// Largest number of groups for errors of transforms.
inline constexpr std::size_t most_error_groups = 50;

}  // namespace starhist::analysis
