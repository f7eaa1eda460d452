#include "codelets/core/counting/default_block_length.hh"

#include <algorithm>
#include <limits>

#include "codelets/core/base/contract.hh"

namespace starhist {
namespace {

/// The block test (analysis::check_block_length()) needs 16 blocks.
constexpr std::uint64_t fewest_blocks = 16;
constexpr std::uint64_t most_blocks = 24;

std::uint64_t block_count(std::uint64_t frames, std::uint64_t length) {
  return (frames - 1) / length + 1;
}

/// Missing share of the last block, plus 0.05 for each block beyond the fewest.
double badness(std::uint64_t frames, std::uint64_t length) {
  const std::uint64_t blocks = block_count(frames, length);
  return static_cast<double>(blocks * length - frames) / static_cast<double>(length) +
         0.05 * static_cast<double>(blocks - fewest_blocks);
}

}  // namespace

std::uint32_t default_block_length(std::uint64_t frames, std::uint64_t parts) {
  STARHIST_EXPECT(parts >= 1, "a run has at least one part");
  frames = std::max<std::uint64_t>(frames, 1);
  // The longest with enough blocks.
  std::uint64_t best =
      frames < fewest_blocks
          ? frames
          : std::max<std::uint64_t>((frames - 1) / (fewest_blocks - 1), 1);
  if (frames >= fewest_blocks) {
    for (std::uint64_t blocks = fewest_blocks; blocks <= most_blocks; ++blocks) {
      const std::uint64_t length = (frames - 1) / blocks + 1;
      if (block_count(frames, length) >= fewest_blocks &&
          badness(frames, length) < badness(frames, best)) {
        best = length;
      }
    }
  }
  if (block_count(frames, best) < parts) {
    best = std::max<std::uint64_t>(frames / parts, 1);
  }
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(best, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace starhist
