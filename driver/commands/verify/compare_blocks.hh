#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "codelets/core/counting/histogram.hh"
#include "driver/commands/verify/comparison.hh"

namespace starhist::driver {

/// Compares the list of frames and the numbers of particles of a block with its
/// recount. `species`: number in `recount` of each species of `layout`.
void compare_frames(const HistogramLayout& layout, const BlockCounts& block,
                    const BlockCounts& recount, const std::vector<std::size_t>& species,
                    Comparison& comparison);

/// Compares a block of a result with its recount. Integers and frames must be equal,
/// real numbers within 1e-12 of their size. `pair_names`: names of the pairs of
/// `layout` for messages.
void compare_blocks(const HistogramLayout& layout, const BlockCounts& block,
                    const BlockCounts& recount, const std::vector<std::size_t>& species,
                    const std::vector<std::string>& pair_names, Comparison& comparison);

}  // namespace starhist::driver
