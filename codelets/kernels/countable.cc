#include "codelets/kernels/countable.hh"

#ifdef STARHIST_CONTRACTS

#include <algorithm>
#include <cmath>

namespace starhist::kernels {

bool are_countable(std::span<const PairBlock> blocks) {
  for (const PairBlock& block : blocks) {
    STARHIST_EXPECT(
        block.row_begin <= block.row_end && block.row_end <= block.first.count,
        "the rows of a block are in [0, first.count)");
    STARHIST_EXPECT(!block.like || (block.first.xyz == block.second.xyz &&
                                    block.first.count == block.second.count),
                    "both species of a like pair are the same span");
    STARHIST_EXPECT(block.image != nullptr && block.image->facet_count >= 0 &&
                        block.image->facet_count <= 6,
                    "a block has a lattice with 0 to 6 facets");
    STARHIST_EXPECT(block.bins != nullptr && block.bins->below == 0,
                    "kernels count in bins from distance 0");
    STARHIST_EXPECT(block.bins->count > 0 && block.bins->count <= max_bin_count,
                    "the number of bins is in [1, max_bin_count]");
    STARHIST_EXPECT(*block.bins == *blocks.front().bins,
                    "all blocks have the same bins");
  }
  return true;
}

bool are_finite(const PositionSpan& positions) {
  return std::all_of(positions.xyz, positions.xyz + 3 * positions.count,
                     [](double coordinate) { return std::isfinite(coordinate); });
}

bool are_finite(std::span<const PairBlock> blocks) {
  return std::all_of(blocks.begin(), blocks.end(), [](const PairBlock& block) {
    return are_finite(block.first) && are_finite(block.second);
  });
}

}  // namespace starhist::kernels

#endif
