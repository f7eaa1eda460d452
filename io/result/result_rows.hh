#pragma once

#include "codelets/core/counting/histogram.hh"
#include "io/log/row_record.hh"

namespace starhist::io {

/// Creates the empty datasets of a result that grow by one row per block or per frame.
/// Throws RunError.
void create_result_rows(hid_t group, const HistogramLayout& layout);

/// Adds a block's rows of these datasets.
void add_result_rows(const BlockCounts& block, RowRecord& record);

}  // namespace starhist::io
