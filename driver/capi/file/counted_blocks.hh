#pragma once

#include "codelets/core/counting/histogram.hh"
#include "driver/capi/starhist.h"
#include "io/result/run_record.hh"

namespace starhist::capi {

/// Layout, blocks and provenance of a histogram, read with the functions of starhist.h.
/// All throw CallError if one of these fails.
HistogramLayout layout_of(starhist_histogram* histogram);
std::uint64_t block_count(starhist_histogram* histogram);
BlockCounts read_block(starhist_histogram* histogram, const HistogramLayout& layout,
                       std::uint64_t block);
io::RunRecord provenance_of(starhist_histogram* histogram);

}  // namespace starhist::capi
