#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codelets/core/base/contract.hh"
#include "codelets/core/base/macros.hh"

namespace starhist {

/// Edges of bins of unequal width, from 0 to r_max: arrays of
/// UniformBins::count_from_zero() + 1 numbers, which live until the program ends.
struct BinEdges {
  const double* r = nullptr;  ///< rising, r[0] == 0
  /// A pair at distance r is beyond edge k if r^2 >= squared_limit[k]: the square of
  /// the edge lowered by 2^-40 r_max.
  const double* squared_limit = nullptr;
};

/// The part of bins that defines the kernels' unit of length, r_max / (below + count),
/// and the range. GPUs know only this part, as bins of equal width.
struct BinScale {
  double r_max = 0.0;
  double inverse_width = 0.0;  ///< (below + count) / r_max
  std::uint32_t count = 0;     ///< number of bins
  std::uint32_t below = 0;     ///< number of bins left out between 0 and r_min
};

/// Distance bins on [0, r_max) or [r_min, r_max): of equal width, or between explicit
/// edges.
///
/// **Equal width.** r_min is an integer number of widths.
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
///
/// **Explicit edges** (`edges` is set). Bin k holds the distances r with edge(k) <= r <
/// edge(k + 1), decided by comparisons of r^2 in double precision (pair_bin.hh), with
/// edges lowered by 2^-40 r_max, so that distances of decimal coordinates on an edge
/// all fall into the bin that starts there. If the first edge is not 0, the bin below
/// it is left out: below == 1. Kernels use r_max / count_from_zero() as their unit of
/// length.
///
/// Example: make_bins_between({0.1, 0.2, 0.5}) has 2 bins; a pair at r = 0.2 is in
/// bin 1.
struct UniformBins : BinScale {
  /// Edges of bins of unequal width; null arrays for bins of equal width. Equal edges
  /// are the same arrays.
  BinEdges edges = {};

  bool uniform() const { return edges.r == nullptr; }
  std::uint32_t count_from_zero() const { return below + count; }
  /// The same bins extended down to distance 0.
  UniformBins from_zero() const {
    return {{r_max, inverse_width, count_from_zero(), 0}, edges};
  }

  /// Throws InternalError unless uniform(): other bins have no common width.
  double width() const;
  /// Edge k, k = 0 .. count: (below + k) * r_max / (below + count), or an explicit
  /// edge.
  double edge(std::uint32_t k) const {
    STARHIST_EXPECT(k <= count && count_from_zero() > 0,
                    "bins have the edges 0 .. count");
    return uniform() ? (below + k) * r_max / count_from_zero() : edges.r[below + k];
  }
  double r_min() const { return edge(0); }
  /// Middle of the edges `first` and `last`.
  double middle(std::uint32_t first, std::uint32_t last) const {
    return uniform() ? (2.0 * below + first + last) * r_max / (2.0 * count_from_zero())
                     : 0.5 * (edge(first) + edge(last));
  }

  friend bool operator==(const UniformBins& a, const UniformBins& b) {
    return a.r_max == b.r_max && a.count == b.count && a.below == b.below &&
           a.edges.r == b.edges.r;
  }
};

/// Largest number of bins: including the entry for out of range they are fewer than
/// 2^31.
inline constexpr std::uint32_t max_bin_count = (1U << 31U) - 2;

/// Returns `count` bins that end at r_max and start `below` widths from 0. Throws
/// InputError unless r_max is positive and its square finite, 0 < count, below + count
/// <= max_bin_count, and the width can be represented.
UniformBins make_bins(double r_max, std::uint64_t count, std::uint64_t below = 0);

/// Largest number of bins between explicit edges.
inline constexpr std::size_t max_explicit_bins = 1000;

/// Returns the bins between explicit edges. Throws InputError unless these are 2 to
/// max_explicit_bins + 1 finite numbers of 0 or more, each larger than the one before
/// by more than 2^-30 of the last one, whose square is finite.
UniformBins make_bins_between(const std::vector<double>& edges);

/// The edges of `count` bins of equal ratio edge(k + 1) / edge(k) from r_min to r_max;
/// both ends are exact. Throws InputError unless 0 < r_min < r_max and 1 <= count <=
/// max_explicit_bins.
std::vector<double> logarithmic_edges(double r_min, double r_max, std::uint64_t count);

/// The count + 1 edges of the bins.
std::vector<double> bin_edges(const UniformBins& bins);

}  // namespace starhist
