#pragma once

#include <cstddef>

namespace starhist::analysis {

/// Consecutive blocks put together, as equal in number as possible: the jackknife needs
/// some tens of groups, and time and memory grow with them.
struct BlockGroups {
  std::size_t blocks = 0;
  std::size_t groups = 0;

  BlockGroups(std::size_t block_count, std::size_t most_groups)
      : blocks(block_count),
        groups(block_count < most_groups ? block_count : most_groups) {}

  std::size_t of(std::size_t block) const { return block * groups / blocks; }
};

/// Groups that errors of transforms are made from.
inline constexpr std::size_t most_error_groups = 50;

}  // namespace starhist::analysis
