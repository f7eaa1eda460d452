#pragma once

#include <string>
#include <vector>

#include "codelets/core/radial_distribution.hh"

namespace starhist {

/// Blocks put together by 2, 4, 8, ... and the standard errors that come of them.
///
/// Errors from blocks that are shorter than what the frames remember are too small;
/// they grow with the block length until it no longer matters: Flyvbjerg and Petersen,
/// J. Chem. Phys. 91, 461 (1989).
struct BlockLengthLevel {
  double frames = 0.0;         ///< mean length of a block
  std::size_t blocks = 0;      ///< how many
  double uncertainty = 0.0;    ///< relative, of each error: 1 / sqrt(2 (blocks - 1))
  std::vector<double> errors;  ///< per pair of `pairs`
};

/// The error of a pair is the root mean square, over the bins, of the jackknife error
/// of g(r); where the boxes have no volume, of the counts per frame. The levels end
/// before fewer than four blocks are left. Empty for fewer than four blocks.
std::vector<BlockLengthLevel> block_length_levels(
    const HistogramLayout& layout, const std::vector<BlockCounts>& blocks,
    const std::vector<PairId>& pairs);

enum class BlockVerdict {
  long_enough,  ///< no longer blocks have errors larger by more than they are uncertain
  too_short,
  too_few_blocks,  ///< fewer than 16: cannot be told
};

/// The least level from which on errors of all pairs stay within two of the longer
/// levels' uncertainties, and what that says of level 0, the blocks of the file.
struct BlockLengthCheck {
  BlockVerdict verdict = BlockVerdict::too_few_blocks;
  std::size_t plateau = 0;  ///< index of that level; the last if there is no other
  double growth = 0.0;      ///< largest ratio of its errors to those of level 0
};
BlockLengthCheck check_block_length(const std::vector<BlockLengthLevel>& levels);

/// That in a sentence.
std::string to_sentence(const BlockLengthCheck& check,
                        const std::vector<BlockLengthLevel>& levels);

}  // namespace starhist
