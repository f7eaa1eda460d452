#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "codelets/kernels/row_range.hh"

namespace starhist::tasks {

using kernels::RowRange;

/// Number of pairs in the rows [0, row). Row i has the `count` - 1 - i particles after
/// it for a like pair, otherwise all `count` particles of the second species.
std::uint64_t pairs_before(std::uint64_t row, std::uint64_t count, bool like);

/// Cuts rows into at most `parts` non-empty ranges of about equally many pairs. `count`
/// is the number of particles of the second species.
///
/// Example: rows [0, 5) of 5 like particles (10 pairs), 2 parts: rows [0, 1) hold 4,
/// [1, 5) hold 6.
std::vector<RowRange> split_rows(RowRange rows, std::uint64_t count, bool like,
                                 std::uint64_t parts);

/// Cuts rows of a like pair of `count` particles into at most `parts` ranges of about
/// equal cost, each with a pair. `cost_before(row)` is the cost of the rows [0, row),
/// and never decreases.
std::vector<RowRange> split_rows(
    RowRange rows, std::uint64_t count, std::uint64_t parts,
    const std::function<double(std::uint64_t)>& cost_before);

}  // namespace starhist::tasks
