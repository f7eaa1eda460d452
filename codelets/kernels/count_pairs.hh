#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "codelets/core/base/contract.hh"
#include "codelets/core/counting/bins.hh"
#include "codelets/core/geometry/minimum_image.hh"

namespace starhist::kernels {

/// Positions of the particles of one species: x, y, z of each, as stored in the file.
struct PositionSpan {
  const double* xyz = nullptr;
  std::size_t count = 0;

  STARHIST_HOST_DEVICE Vec3 operator[](std::size_t i) const {
    return {xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]};
  }
};

/// The pairs to count in one frame: particle i of `first`, i in [row_begin, row_end),
/// with every particle j of `second`; for a like pair (`second` is the same span,
/// `like` is set) with every j > i. Rows make a frame divisible: disjoint row ranges
/// that cover [0, first.count) count each pair once.
///
/// Example: 4 particles, like, rows [0, 1): the 3 pairs (0,1), (0,2), (0,3).
struct PairBlock {
  PositionSpan first;
  PositionSpan second;
  bool like = false;
  std::size_t row_begin = 0;
  std::size_t row_end = 0;
  const MinimumImage* image = nullptr;
  const UniformBins* bins = nullptr;
  /// The particles of both species are in spatial order (clusters/spatial_order.hh), so
  /// that it pays to skip distant groups of them.
  bool clustered = false;

  /// Number of pairs in the block.
  std::uint64_t pair_count() const {
    STARHIST_EXPECT(row_begin <= row_end && row_end <= first.count,
                    "the rows of a block are in [0, first.count)");
    const std::uint64_t rows = row_end - row_begin;
    if (!like) {
      return rows * second.count;
    }
    // Row i has count - 1 - i partners.
    const std::uint64_t most =
        second.count - row_begin;  // partners of row_begin, plus 1
    return rows == 0 ? 0 : rows * (most - 1) - rows * (rows - 1) / 2;
  }
};

/// Number of pairs of the block in a rectangle of rows and columns.
inline std::uint64_t pairs_in(const PairBlock& block, std::size_t row_begin,
                              std::size_t row_end, std::size_t column_begin,
                              std::size_t column_end) {
  STARHIST_EXPECT(
      block.row_begin <= row_begin && row_begin <= row_end && row_end <= block.row_end,
      "the rectangle has rows of the block");
  STARHIST_EXPECT(column_begin <= column_end && column_end <= block.second.count,
                  "the rectangle has columns of the block");
  if (!block.like) {
    return (row_end - row_begin) * (column_end - column_begin);
  }
  std::uint64_t pairs = 0;
  for (std::size_t i = row_begin; i < row_end; ++i) {
    pairs += column_end - std::min(column_end, std::max(column_begin, i + 1));
  }
  return pairs;
}

/// Result of a kernel, in addition to the counts.
struct CountedPairs {
  std::uint64_t pairs = 0;  ///< number of pairs counted; must equal pair_count()
  /// Part of `pairs` skipped because their clusters are out of range.
  std::uint64_t skipped = 0;
  /// Instruction set and metric of the last loop over pairs, such as "avx2 diagonal" or
  /// "avx2 by definition"; empty if none ran. For tests and messages.
  std::string loop;
};

/// The contract of every kernel (reference, cpu, cuda).
///
/// Adds to counts[k], k < bins.count, the number of pairs of the blocks whose pair_bin
/// is k, and to counts[bins.count] the number of pairs out of range. `counts` has
/// bins.count + 1 entries of 64 bits; their previous values are kept as summands. All
/// blocks have the same bins. Each pair is counted in exactly the bin that pair_bin
/// returns, on every machine. Positions must be finite. Several blocks, such as the
/// same species pair in many small frames, cost less in one call than in many.
///
/// The reference and the CPU kernels have this type and have finished when they return.
/// `threads` is the number of threads to use, at least 1; the counts do not depend on
/// it. The CUDA kernels take positions and counts in device memory, queue their work on
/// a stream and return whether it was accepted (cuda/launch/cuda_count_pairs.hh).
using CountPairs = CountedPairs (*)(std::span<const PairBlock> blocks, int threads,
                                    std::uint64_t* counts);

/// Sum of the blocks' pair counts.
inline std::uint64_t pair_count(std::span<const PairBlock> blocks) {
  std::uint64_t pairs = 0;
  for (const PairBlock& block : blocks) {
    pairs += block.pair_count();
  }
  return pairs;
}

}  // namespace starhist::kernels
