#pragma once

#include <vector>

#include "codelets/core/counting/lag_layout.hh"
#include "io/log/row_record.hh"

namespace starhist::io {

/// Writes the lags of the channels and of the histograms of displacements, and creates
/// the datasets with a row of displacements per block. Throws RunError.
void create_lag_rows(hid_t group, const LagLayout& layout);

/// Adds a block's rows of these datasets. `species`: number of species. Throws
/// InternalError unless the displacements add up.
void add_lag_rows(const std::vector<DisplacementCounts>& displacements,
                  std::size_t species, RowRecord& record);

}  // namespace starhist::io
