#include "codelets/kernels/reference/count_pairs.hh"

#include "codelets/core/counting/pair_bin.hh"

namespace starhist::kernels::reference {

CountedPairs count_pairs(std::span<const PairBlock> blocks, int /*threads*/,
                         std::uint64_t* counts) {
  std::uint64_t pairs = 0;
  for (const PairBlock& block : blocks) {
    for (std::size_t i = block.row_begin; i < block.row_end; ++i) {
      for (std::size_t j = block.like ? i + 1 : 0; j < block.second.count; ++j) {
        ++counts[pair_bin(*block.image, *block.bins, block.first[i], block.second[j])];
        ++pairs;
      }
    }
  }
  return {pairs, 0, "by definition"};
}

}  // namespace starhist::kernels::reference
