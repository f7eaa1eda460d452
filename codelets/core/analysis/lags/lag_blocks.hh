#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/lag_layout.hh"

namespace starhist::analysis {

/// Fewest joined blocks for a standard error. Neighbours of the length of the lag still
/// share parts of displacements: of random walks, five of them report 0.8 of the true
/// error of the mean squared displacement, and three 0.7.
inline constexpr std::size_t fewest_joined_blocks = 5;

/// Consecutive blocks, joined for the standard errors of one lag until each covers at
/// least as many frames as the lag. Shorter neighbours share most of each displacement,
/// so that their scatter is far too small.
struct LagBlocks {
  std::vector<std::size_t> joined;  ///< by block: index of the joined block
  /// Number of frames of each joined block with an origin, the weights for
  /// jackknife_error(). One entry: no standard error.
  std::vector<double> frames;
  bool shorter = false;  ///< blocks that are shorter than the lag have been joined

  /// Sums over the joined blocks. `Sums` has +=.
  template <class Sums>
  std::vector<Sums> sums(const std::vector<Sums>& of_blocks) const {
    std::vector<Sums> sums;
    for (std::size_t b = 0; b < of_blocks.size(); ++b) {
      if (joined[b] == sums.size()) {
        sums.push_back(of_blocks[b]);
      } else {
        sums[joined[b]] += of_blocks[b];
      }
    }
    return sums;
  }
};

/// Joins blocks of these numbers of frames, without the frames before the first one
/// with an origin. `with_origin`: numbers of frames with an origin `lag` frames
/// earlier. The remainder at the end belongs to the joined block before it. All blocks
/// become one if fewer than fewest_joined_blocks remain of shorter ones.
LagBlocks join_blocks(const std::vector<double>& frames,
                      const std::vector<double>& with_origin, std::uint64_t lag);

/// LagBlocks of each lag, made of groups of consecutive blocks (BlockGroups),
/// `group_count` at most. In the first block of a run, the frames from the first origin
/// on are estimated from the share of frames with an origin in all blocks.
std::vector<LagBlocks> lag_blocks(
    const LagLayout& layout, const std::vector<BlockCounts>& blocks,
    const std::vector<std::vector<DisplacementCounts>>& displacements,
    std::size_t group_count);

/// Message to show with standard errors: lags without any, with the reason and the
/// remedy, and error_caveat() of block_length.hh for the distances of `pairs` at the
/// shortest lag. "" if neither applies.
std::string error_caveat(const LagLayout& layout,
                         const std::vector<BlockCounts>& blocks,
                         const std::vector<LagBlocks>& of_lags,
                         const std::vector<PairId>& pairs);

}  // namespace starhist::analysis
