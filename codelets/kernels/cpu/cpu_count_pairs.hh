#pragma once

#include <atomic>

#include "codelets/kernels/count_pairs.hh"
#include "codelets/kernels/cpu/variants.hh"

namespace starhist::kernels::cpu {

/// CountPairs with the selected variant. `stop`, unless it is null: after another
/// thread sets it, this returns within some milliseconds, with fewer pairs than it was
/// given and unusable counts. `same_frames`, unless it is 0: a block whose `second` is
/// the same span as in another call of this process with this number has the same
/// positions, image and bins, so that a thread may keep its preparation of a like pair.
CountedPairs count_pairs(std::span<const PairBlock> blocks, int threads,
                         std::uint64_t* counts, const std::atomic<bool>* stop = nullptr,
                         std::uint64_t same_frames = 0);

/// Uses a given variant, for tests and benchmarks.
CountedPairs count_pairs(const Variant& variant, std::span<const PairBlock> blocks,
                         int threads, std::uint64_t* counts,
                         const std::atomic<bool>* stop = nullptr,
                         std::uint64_t same_frames = 0);

}  // namespace starhist::kernels::cpu
