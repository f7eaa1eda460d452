#pragma once

#include <cstdint>
#include <vector>

#include "codelets/core/counting/histogram.hh"
#include "driver/ranks/messages.hh"

namespace starhist::driver {

/// Adds what ranks have done to the result of the run: sums, workers, summaries.
void add_ranks(const std::vector<RankWork>& ranks, RunResult& result);

/// Units that may lie between one that is handed out and the first one that is missing:
/// so many that a slow rank does not stop the others, and that the counts that wait for
/// it take a 16th of `memory_bytes` at most, but not fewer than the ranks have in hand.
std::uint64_t window_of(const HistogramLayout& layout, std::uint64_t memory_bytes,
                        std::uint32_t ranks);

}  // namespace starhist::driver
