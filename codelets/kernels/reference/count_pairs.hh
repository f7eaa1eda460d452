#pragma once

#include "codelets/kernels/count_pairs.hh"

namespace starhist::kernels::reference {

/// CountPairs with one thread, whatever `threads` is, and the defining function for
/// every pair: what all other kernels are compared with.
CountedPairs count_pairs(std::span<const PairBlock> blocks, int threads,
                         std::uint64_t* counts);

}  // namespace starhist::kernels::reference
