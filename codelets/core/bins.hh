#pragma once

#include <cstdint>
#include <vector>

#include "codelets/core/macros.hh"

namespace starhist {

/// Equal-width distance bins on [0, r_max).
///
/// Bin k holds the distances r with k * width <= r < (k + 1) * width; the last
/// rounding at an edge is settled by find(), on every machine alike.
/// r >= r_max is outside: such pairs are counted as out of range, never clamped
/// into a bin. Lengths are in the trajectory's length unit.
///
/// Example: make_bins(1.0, 4) has width 0.25; find(0.25) == 1, find(0.2499) == 0,
/// find(1.0) == 4 == count, which says "out of range".
struct UniformBins {
  double r_max = 0.0;
  double inverse_width = 0.0;
  std::uint32_t count = 0;

  /// Bin of the distance r >= 0, or `count` when r is out of range.
  STARHIST_HOST_DEVICE std::uint32_t find(double r) const {
    const double position = r * inverse_width;
    const double limit = count;
    // count < 2^31, so the conversion may be signed, which every processor has.
    return static_cast<std::uint32_t>(
        static_cast<std::int32_t>(position < limit ? position : limit));
  }

  double width() const { return r_max / count; }
  /// Edge k is k * r_max / count, k = 0 .. count.
  double edge(std::uint32_t k) const { return k * r_max / count; }
};

/// Largest number of bins: the counts of a pair then still fit into 2^31 entries.
inline constexpr std::uint32_t max_bin_count = (1U << 31U) - 2;

/// Throws InputError unless r_max is finite and positive and 0 < count <=
/// max_bin_count.
UniformBins make_bins(double r_max, std::uint64_t count);

/// The count + 1 edges of the bins.
std::vector<double> bin_edges(const UniformBins& bins);

}  // namespace starhist
