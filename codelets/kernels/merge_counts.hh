#pragma once

#include <cstddef>
#include <cstdint>

namespace starhist::kernels {

/// sum[k] += terms[k] for k < size. Sums of integers do not depend on the order of
/// merging.
using MergeCounts = void (*)(std::uint64_t* sum, const std::uint64_t* terms,
                             std::size_t size);

/// counts[k] = 0 for k < size.
using ZeroCounts = void (*)(std::uint64_t* counts, std::size_t size);

}  // namespace starhist::kernels
