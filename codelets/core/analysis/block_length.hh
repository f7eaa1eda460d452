#pragma once

#include <string>
#include <vector>

#include "codelets/core/analysis/radial_distribution.hh"

namespace starhist::analysis {

/// Blocks put together by 2, 4, 8, ... and the standard errors that come of them.
///
/// Errors from blocks that are shorter than what the frames remember are too small;
/// they grow with the block length until it no longer matters: Flyvbjerg and Petersen,
/// J. Chem. Phys. 91, 461 (1989).
struct BlockLengthLevel {
  double frames = 0.0;         ///< mean length of a block
  std::size_t blocks = 0;      ///< how many
  double uncertainty = 0.0;    ///< relative, of each error: 1 / sqrt(2 (blocks - 1))
  std::vector<double> errors;  ///< per pair: of g(r)
  std::vector<double> running_errors;  ///< per pair: of the mean of g up to r
};

/// The error of a pair is the root mean square, over the bins, of the jackknife error
/// of g(r); where the boxes have no volume, of the counts per frame. NaN for a pair
/// that occurs in fewer than two blocks. The levels end before fewer than four blocks
/// are left. Empty for fewer than four blocks.
std::vector<BlockLengthLevel> block_length_levels(
    const HistogramLayout& layout, const std::vector<BlockCounts>& blocks,
    const std::vector<PairId>& pairs);

enum class BlockVerdict {
  long_enough,
  too_short,
  too_few_blocks,  ///< fewer than 16: cannot be told
};

/// Blocks that remember nothing have the same errors when they are put together by two.
/// The relative growth of the squared error is the correlation of neighbouring blocks,
/// which n independent ones have by chance within 1 / sqrt(n). So a level is long
/// enough if from it on no level's errors, averaged over the pairs, grow to the next by
/// more than twice that.
struct BlockLengthCheck {
  BlockVerdict verdict =
      BlockVerdict::too_few_blocks;  ///< of level 0, the file's blocks
  std::size_t plateau = 0;  ///< first level that is long enough, or the last there is
  double growth = 0.0;      ///< largest ratio of its errors to those of level 0
};
BlockLengthCheck check_block_length(const std::vector<BlockLengthLevel>& levels);

/// That in a sentence.
std::string to_sentence(const BlockLengthCheck& check,
                        const std::vector<BlockLengthLevel>& levels);

}  // namespace starhist::analysis
