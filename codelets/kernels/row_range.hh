#pragma once

#include <cstdint>

namespace starhist::kernels {

/// Rows `begin` to `end` - 1: particles of the first species of a pair of species.
struct RowRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  friend bool operator==(const RowRange&, const RowRange&) = default;
};

}  // namespace starhist::kernels
