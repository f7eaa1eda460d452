#pragma once

#include <string>

#include "codelets/core/counting/histogram.hh"

namespace starhist::io {

/// "" if the numbers of a block that was read from a file can be those of frames: every
/// pair in a bin or out of range, sums of V and 1/V that belong together. Otherwise
/// what is wrong, "block 3: pair H-O: ...".
std::string block_problem(const BlockCounts& block, const HistogramLayout& layout);

}  // namespace starhist::io
