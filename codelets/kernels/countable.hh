#pragma once

#include <span>

#include "codelets/core/base/contract.hh"
#include "codelets/kernels/count_pairs.hh"

namespace starhist::kernels {

// Preconditions of CountPairs, for contracts at the entrance of a kernel. Defined only
// with contracts.

/// Checks everything except positions, which may be in the memory of a GPU. Returns
/// true, or reports the broken contract.
bool are_countable(std::span<const PairBlock> blocks);

/// Whether all positions, in main memory, are finite.
bool are_finite(const PositionSpan& positions);
bool are_finite(std::span<const PairBlock> blocks);

}  // namespace starhist::kernels
