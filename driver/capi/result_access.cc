#include "driver/capi/result_access.hh"

namespace starhist::capi {

BlockRange blocks_of(Histogram& histogram, uint64_t block) {
  const std::vector<BlockCounts>& blocks = histogram.blocks();
  if (blocks.empty()) {
    throw CallError(STARHIST_NO_FRAMES, "no frame has been counted yet");
  }
  if (block == STARHIST_ALL_BLOCKS) {
    return {blocks.data(), blocks.data() + blocks.size()};
  }
  if (block >= blocks.size()) {
    throw CallError(STARHIST_NO_FRAMES, "no block has the number " +
                                            std::to_string(block) + " (there are " +
                                            std::to_string(blocks.size()) + ")");
  }
  return {blocks.data() + block, blocks.data() + block + 1};
}

}  // namespace starhist::capi
