#pragma once

#include <cstdint>

#include "codelets/core/base/ieee.hh"
#include "codelets/core/counting/bins.hh"

namespace starhist {

/// Distance of a bin edge below an integer number of bins: 2^-30, about a billionth
/// [bins]. Distances of decimal coordinates that should be integer numbers of bins are
/// off by less in double precision, so they all fall into the bin that starts there
/// (docs/explanation/certified-counts.md, "Decimal coordinates").
inline constexpr double edge_shift = 0x1p-30;

/// The distance r >= 0 in bins plus edge_shift, rounded once: bin k holds the positions
/// k <= position < k + 1. bins.below must be 0.
STARHIST_HOST_DEVICE double bin_position(const BinScale& bins, double r) {
  return fused(r, bins.inverse_width, edge_shift);
}

/// Bin of a bin_position(), or bins.count when it is out of range.
///
/// Example: make_bins(1.0, 4) has width 0.25. Distances 0.2499, 0.25 and 0.25 (1 -
/// 2^-40) are in bins 0, 1 and 1; 1.0 is in bin 4 == count, out of range.
STARHIST_HOST_DEVICE std::uint32_t bin_at(const BinScale& bins, double position) {
  const double limit = bins.count;
  // count < 2^31, so a signed conversion, which every processor has, is sufficient.
  return static_cast<std::uint32_t>(
      static_cast<std::int32_t>(position < limit ? position : limit));
}

}  // namespace starhist
