#pragma once

#include <optional>
#include <vector>

#include "codelets/core/counting/lag_layout.hh"
#include "driver/capi/starhist.h"
#include "io/result/coordination_result.hh"
#include "io/result/run_record.hh"

namespace starhist::capi {

/// Layout, blocks and provenance of a histogram, read with the functions of starhist.h.
/// All throw CallError if one of these fails.
HistogramLayout layout_of(starhist_histogram* histogram);
/// Empty unless the histogram counts between frames. `channels`: its layout_of().
std::optional<LagLayout> lag_layout_of(starhist_histogram* histogram,
                                       const HistogramLayout& channels);
/// Empty unless the histogram counts neighbours.
std::vector<NeighbourShell> shells_of(starhist_histogram* histogram);
std::uint64_t block_count(starhist_histogram* histogram);
BlockCounts read_block(starhist_histogram* histogram, const HistogramLayout& layout,
                       std::uint64_t block);
/// Adds its displacements to the block between frames that read_block() has returned.
LaggedBlock with_displacements(starhist_histogram* histogram, const LagLayout& layout,
                               BlockCounts&& block);
/// The result of a histogram that counts neighbours, with these shells.
io::CoordinationResult coordination_of(starhist_histogram* histogram,
                                       std::vector<NeighbourShell> shells);
io::RunRecord provenance_of(starhist_histogram* histogram);

}  // namespace starhist::capi
