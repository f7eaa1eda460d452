#pragma once

#include <string>
#include <vector>

#include "codelets/core/analysis/radial_distribution.hh"

namespace starhist::analysis {

/// Standard errors from blocks of 2^l blocks of the file, l = 0, 1, 2, ... the level.
///
/// Errors from blocks shorter than the correlation time of the frames are too small.
/// They grow with the block length up to a plateau: Flyvbjerg and Petersen, J. Chem.
/// Phys. 91, 461 (1989).
struct BlockLengthLevel {
  double frames = 0.0;       ///< mean number of frames of a block
  std::size_t blocks = 0;    ///< number of blocks
  double uncertainty = 0.0;  ///< relative error of the errors: 1 / sqrt(2 (blocks - 1))
  std::vector<double> errors;          ///< per pair: of g(r)
  std::vector<double> running_errors;  ///< per pair: of the mean of g up to r
};

/// The levels with at least four blocks; empty for fewer than four blocks in the file.
/// The error of a pair is the root mean square, over the bins, of the jackknife error
/// of g(r), or of the counts per frame if boxes have no volume. NaN for a pair that
/// occurs in fewer than two blocks.
std::vector<BlockLengthLevel> block_length_levels(
    const HistogramLayout& layout, const std::vector<BlockCounts>& blocks,
    const std::vector<PairId>& pairs);

/// Verdict of the block test on the blocks of the file.
enum class BlockVerdict {
  long_enough,
  too_short,
  too_few_blocks,  ///< fewer than 16: no verdict
};

/// Result of the block test (Flyvbjerg and Petersen).
///
/// Errors do not change if independent blocks are merged in pairs. The relative growth
/// of the squared error is the correlation of neighbouring blocks, which is about
/// sqrt(2 / n) by chance for n independent blocks. A level with 16 blocks or more is
/// too short if this growth to the next level, averaged over the P pairs, exceeds 2.5 /
/// sqrt(n), if the growth of one pair exceeds sqrt(2.5^2 + 4 ln P) / sqrt(n), which the
/// largest of P normal deviates exceeds about as rarely, or if a later level is too
/// short.
struct BlockLengthCheck {
  BlockVerdict verdict =
      BlockVerdict::too_few_blocks;  ///< verdict on level 0, the blocks of the file
  std::size_t plateau = 0;  ///< first level that is long enough, or the last level
  double growth = 0.0;      ///< largest ratio of its errors to those of level 0
};
BlockLengthCheck check_block_length(const std::vector<BlockLengthLevel>& levels);

/// The result as a message for users.
std::string to_sentence(const BlockLengthCheck& check,
                        const std::vector<BlockLengthLevel>& levels);

/// Message to show with standard errors of `pairs` from these blocks: that there are
/// fewer than five blocks, so that the errors themselves are uncertain by more than a
/// third, or that the block test finds the blocks too short. "" if neither applies.
std::string error_caveat(const HistogramLayout& layout,
                         const std::vector<BlockCounts>& blocks,
                         const std::vector<PairId>& pairs);

}  // namespace starhist::analysis
