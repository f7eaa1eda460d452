#pragma once

#include "codelets/kernels/merge_counts.hh"

namespace starhist::kernels::cpu {

/// MergeCounts and ZeroCounts in the calling thread.
void merge_counts(std::uint64_t* sum, const std::uint64_t* terms, std::size_t size);
void zero_counts(std::uint64_t* counts, std::size_t size);

}  // namespace starhist::kernels::cpu
