#pragma once

#include "codelets/kernels/count_pairs.hh"
#include "codelets/kernels/cpu/variants.hh"

namespace starhist::kernels::cpu {

/// CountPairs with the selected variant.
std::uint64_t count_pairs(std::span<const PairBlock> blocks, int threads,
                          std::uint64_t* counts);

/// CountPairs with a given variant, for tests and benchmarks.
std::uint64_t count_pairs(const Variant& variant, std::span<const PairBlock> blocks,
                          int threads, std::uint64_t* counts);

/// Pairs of this thread's last count_pairs that were known to be out of range by the
/// clusters that they are in.
std::uint64_t skipped_pairs();

/// Which instruction set the loops of this thread's last count_pairs were compiled for,
/// and how they computed distances: "avx2 diagonal", "avx2 by definition".
const std::string& last_loop();

}  // namespace starhist::kernels::cpu
