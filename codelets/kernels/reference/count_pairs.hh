#pragma once

#include "codelets/kernels/count_pairs.hh"

namespace starhist::kernels::reference {

/// The oracle: one thread, the defining function for every pair, nothing else.
std::uint64_t count_pairs(std::span<const PairBlock> blocks, int threads,
                          std::uint64_t* counts);

}  // namespace starhist::kernels::reference
