#pragma once

#include <atomic>

#include "codelets/kernels/count_pairs.hh"
#include "codelets/kernels/cpu/variants.hh"

namespace starhist::kernels::cpu {

/// CountPairs with the selected variant. `stop`, unless it is null: after another
/// thread sets it, this returns within some milliseconds, with fewer pairs than it was
/// given and unusable counts.
CountedPairs count_pairs(std::span<const PairBlock> blocks, int threads,
                         std::uint64_t* counts,
                         const std::atomic<bool>* stop = nullptr);

/// Uses a given variant, for tests and benchmarks.
CountedPairs count_pairs(const Variant& variant, std::span<const PairBlock> blocks,
                         int threads, std::uint64_t* counts,
                         const std::atomic<bool>* stop = nullptr);

}  // namespace starhist::kernels::cpu
