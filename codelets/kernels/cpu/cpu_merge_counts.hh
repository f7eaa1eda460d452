#pragma once

#include <cstddef>
#include <cstdint>

namespace starhist::kernels::cpu {

/// sum[k] += terms[k] for k < size. Sums of integers do not depend on the order of
/// merging.
void merge_counts(std::uint64_t* sum, const std::uint64_t* terms, std::size_t size);

/// counts[k] = 0 for k < size.
void zero_counts(std::uint64_t* counts, std::size_t size);

}  // namespace starhist::kernels::cpu
