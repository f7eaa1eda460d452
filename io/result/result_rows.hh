#pragma once

#include <string>
#include <vector>

#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/lag_layout.hh"
#include "io/log/row_record.hh"

namespace starhist::io {

/// Returns a power of a unit: "nm+3" for "nm" and 3; "" for a unit of several words,
/// such as "0.1 nm".
std::string scale_power(const std::string& unit, int power);

/// Creates the empty datasets of a result that grow by one row per block or per frame.
/// Throws RunError.
void create_result_rows(hid_t group, const HistogramLayout& layout);

/// Adds a block's rows of these datasets.
void add_result_rows(const BlockCounts& block, RowRecord& record);

/// Writes the lags of the channels and of the histograms of displacements, and creates
/// the datasets with a row of displacements per block. Throws RunError.
void create_lag_rows(hid_t group, const LagLayout& layout);

/// Adds a block's rows of these datasets. `species`: number of species. Throws
/// InternalError unless the displacements add up.
void add_lag_rows(const std::vector<DisplacementCounts>& displacements,
                  std::size_t species, RowRecord& record);

}  // namespace starhist::io
