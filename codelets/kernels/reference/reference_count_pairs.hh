#pragma once

#include "codelets/kernels/count_pairs.hh"

namespace starhist::kernels::reference {

/// CountPairs with the defining function for every pair, in one thread whatever
/// `threads` is. Tests compare all other kernels with it.
CountedPairs count_pairs(std::span<const PairBlock> blocks, int threads,
                         std::uint64_t* counts);

}  // namespace starhist::kernels::reference
