#pragma once

#include <cstddef>
#include <vector>

#include "codelets/core/counting/histogram.hh"
#include "driver/report/verification.hh"

namespace starhist::driver {

/// Compares a block of a result with its recount and adds each difference. Integers and
/// frames must be equal, real numbers within 1e-12 of their size. `species`: number in
/// `recount` of each species of `layout`. Returns the number of numbers
/// compared.
std::uint64_t compare_blocks(const HistogramLayout& layout, const BlockCounts& block,
                             const BlockCounts& recount,
                             const std::vector<std::size_t>& species,
                             Differences& differences);

}  // namespace starhist::driver
