#pragma once

#include "codelets/kernels/count_pairs.hh"
#include "codelets/kernels/cpu/variants.hh"

namespace starhist::kernels::cpu {

/// CountPairs with the selected variant.
CountedPairs count_pairs(std::span<const PairBlock> blocks, int threads,
                         std::uint64_t* counts);

/// CountPairs with a given variant, for tests and benchmarks.
CountedPairs count_pairs(const Variant& variant, std::span<const PairBlock> blocks,
                         int threads, std::uint64_t* counts);

}  // namespace starhist::kernels::cpu
