#pragma once

#include <span>

#include "codelets/core/counting/compound_pairs.hh"
#include "codelets/kernels/count_pairs.hh"

namespace starhist::kernels::cpu {

/// Rows of the pairs within units, in one frame.
struct CompoundBlock {
  const CompoundPairs* compounds = nullptr;
  CompoundPairs::Rows rows;
  PositionSpan first;  ///< all particles of the species, in the order of CompoundPairs
  PositionSpan second;
  const MinimumImage* image = nullptr;
  const UniformBins* bins = nullptr;
};

/// Counts the pairs of the blocks, exactly as CountPairs does, also a particle with
/// itself where it is a row and a column. Returns their number.
///
/// Pairs of small units go to the defining function, many at a time; units of thousands
/// of pairs to count_pairs.
std::uint64_t count_compound_pairs(std::span<const CompoundBlock> blocks, int threads,
                                   std::uint64_t* counts);

}  // namespace starhist::kernels::cpu
