#include "codelets/kernels/reference/reference_count_pairs.hh"

#include "codelets/core/counting/pair_bin.hh"
#include "codelets/kernels/countable.hh"

namespace starhist::kernels::reference {

CountedPairs count_pairs(std::span<const PairBlock> blocks, int threads,
                         std::uint64_t* counts) {
  STARHIST_EXPECT(threads >= 1, "a kernel uses at least one thread");
  STARHIST_EXPECT(are_countable(blocks), "a kernel can count the blocks");
  STARHIST_EXPECT(are_finite(blocks), "positions must be finite");
  std::uint64_t pairs = 0;
  for (const PairBlock& block : blocks) {
    for (std::size_t i = block.row_begin; i < block.row_end; ++i) {
      for (std::size_t j = block.like ? i + 1 : 0; j < block.second.count; ++j) {
        ++counts[pair_bin(*block.image, *block.bins, block.first[i], block.second[j])];
        ++pairs;
      }
    }
  }
  STARHIST_ENSURE(pairs == pair_count(blocks), "each pair is counted once");
  return {pairs, 0, "by definition"};
}

}  // namespace starhist::kernels::reference
