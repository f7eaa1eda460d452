#pragma once

#include <string>

#include "codelets/core/counting/histogram.hh"

namespace starhist::io {

/// Checks whether the numbers of a block from a file are possible: the sum rule, frame
/// numbers, and sums of V and 1/V. Returns "" or the problem, such as "block 3: pair
/// H-O: ...".
std::string block_problem(const BlockCounts& block, const HistogramLayout& layout);

}  // namespace starhist::io
