#pragma once

#include <cstdint>

namespace starhist {

/// One of several parts of the rows of each species pair of a frame. Pairs that are not
/// counted row by row, such as those within compounds, belong to the first part. Counts
/// of all parts add up modulo 2^64: pairs subtracted in the first part may have been
/// counted in another.
struct RowPart {
  std::uint32_t number = 0;  ///< [0, count)
  std::uint32_t count = 1;   ///< [>= 1]; 1: all rows

  bool all() const { return count == 1; }
  friend bool operator==(const RowPart&, const RowPart&) = default;
};

}  // namespace starhist
