#pragma once

#include <span>

#include "codelets/core/counting/compound_pairs.hh"
#include "codelets/kernels/count_pairs.hh"

namespace starhist::kernels::cpu {

/// Pairs of particles of the same compound in one frame, cut by rows.
struct CompoundBlock {
  const CompoundPairs* compounds = nullptr;
  CompoundPairs::Rows rows;
  PositionSpan first;  ///< all particles of the species, in the order of CompoundPairs
  PositionSpan second;
  const MinimumImage* image = nullptr;
  const UniformBins* bins = nullptr;
};

/// Adds the pairs of the blocks to `counts`, which has bins.count + 1 entries; all
/// blocks have the same bins. Each pair is counted in exactly the bin that
/// pair_bin returns. A particle that
/// is both a row and a column of an unlike pair counts with itself. Returns the number
/// of pairs. `threads` [>= 1] are used for large compounds.
///
/// Many pairs of small compounds are passed to the defining function at a time;
/// compounds of thousands of pairs go to count_pairs().
std::uint64_t count_compound_pairs(std::span<const CompoundBlock> blocks, int threads,
                                   std::uint64_t* counts);

}  // namespace starhist::kernels::cpu
