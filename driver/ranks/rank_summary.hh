#pragma once

#include <cstdint>
#include <vector>

#include "codelets/core/counting/histogram.hh"
#include "driver/ranks/messages.hh"

namespace starhist::driver {

/// Adds the ranks' work reports to the result of the run: sums, workers, tasks,
/// summaries. All ranks start to count at the same time, up to the latency of a
/// message.
void add_ranks(const std::vector<RankWork>& ranks, RunResult& result);

/// Largest distance between a unit that is handed out and the first unit whose counts
/// are missing. Within it a slow rank does not stop the others. The counts that wait
/// for that unit take at most a 16th of `memory_bytes`, unless the units in hand of all
/// ranks take more. `most_in_hand`: of each rank.
std::uint64_t window_of(std::uint64_t bytes_of_unit, std::uint64_t memory_bytes,
                        const std::vector<std::uint64_t>& most_in_hand);
std::uint64_t window_of(const HistogramLayout& layout, std::uint64_t memory_bytes,
                        const std::vector<std::uint64_t>& most_in_hand);

}  // namespace starhist::driver
