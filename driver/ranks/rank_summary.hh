#pragma once

#include <cstdint>
#include <vector>

#include "codelets/core/counting/histogram.hh"
#include "driver/ranks/messages.hh"

namespace starhist::driver {

/// Adds what ranks have done to the result of the run: sums, workers, tasks,
/// summaries. All begin to count at once, up to the time of a message.
void add_ranks(const std::vector<RankWork>& ranks, RunResult& result);

/// Largest number of units between one that is handed out and the first whose counts
/// are missing. A slow rank does not stop the others within it. The counts that wait
/// for that unit take at most a 16th of `memory_bytes`, unless the units that all ranks
/// have in hand take more. `most_in_hand`: of each rank.
std::uint64_t window_of(const HistogramLayout& layout, std::uint64_t memory_bytes,
                        const std::vector<std::uint64_t>& most_in_hand);

}  // namespace starhist::driver
