#pragma once

#include <cstdint>
#include <vector>

#include "codelets/core/base/macros.hh"

namespace starhist {

/// Equal-width distance bins on [0, r_max), or on [r_min, r_max) if r_min is an integer
/// number of widths.
///
/// With r_min = 0 bin k holds the distances r with k <= r / width + 2^-30 < k + 1, as
/// bin_position.hh defines it, equally on every machine. Pairs beyond the last bin are
/// counted as out of range, never in a bin. Lengths are in the trajectory's length
/// unit.
///
/// Kernels count in the bins of from_zero(). Edges and the counts between them do not
/// depend on r_min.
///
/// Example: make_bins(1.0, 4) has width 0.25 and the edges 0, 0.25, 0.5, 0.75 and 1.
/// make_bins(1.0, 3, 1) has the last three of these bins, and edge(0) == 0.25.
struct UniformBins {
  double r_max = 0.0;
  double inverse_width = 0.0;  ///< (below + count) / r_max
  std::uint32_t count = 0;     ///< number of bins
  std::uint32_t below = 0;     ///< number of bins left out between 0 and r_min

  std::uint32_t count_from_zero() const { return below + count; }
  /// The same bins extended down to distance 0.
  UniformBins from_zero() const { return {r_max, inverse_width, count_from_zero(), 0}; }

  double width() const { return r_max / count_from_zero(); }
  /// Edge k is (below + k) * r_max / (below + count), k = 0 .. count.
  double edge(std::uint32_t k) const { return (below + k) * r_max / count_from_zero(); }
  double r_min() const { return edge(0); }
};

/// Largest number of bins: including the entry for out of range they are fewer than
/// 2^31.
inline constexpr std::uint32_t max_bin_count = (1U << 31U) - 2;

/// Returns `count` bins that end at r_max and start `below` widths from 0. Throws
/// InputError unless r_max is positive and its square finite, 0 < count, below + count
/// <= max_bin_count, and the width can be represented.
UniformBins make_bins(double r_max, std::uint64_t count, std::uint64_t below = 0);

/// The count + 1 edges of the bins.
std::vector<double> bin_edges(const UniformBins& bins);

}  // namespace starhist
