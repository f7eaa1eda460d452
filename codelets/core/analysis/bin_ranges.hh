#pragma once

#include <cstdint>
#include <vector>

#include "codelets/core/counting/bins.hh"

namespace starhist::analysis {

/// Consecutive bins [first, last) whose counts and shells are summed to one point of a
/// curve, which is drawn at r.
struct BinRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  double r = 0.0;

  friend bool operator==(const BinRange&, const BinRange&) = default;
};

/// How bins are merged after counting.
struct Rebinning {
  enum class Kind {
    each_bin,     ///< no merging
    merged,       ///< `number` bins to one
    logarithmic,  ///< `number` bins of about equal ratio r_upper / r_lower
    at_edges,     ///< between the given edges
  };
  Kind kind = Kind::each_bin;
  std::uint32_t number = 0;
  std::vector<double> edges;  ///< [length unit]
};

/// The ranges of a rebinning, each at the middle of its edges. Bins at the end that do
/// not fill a range of `merged` are left out. The edges of `logarithmic` are rounded to
/// bin edges; from r = 0 on, its first range is one bin. Throws InputError for edges
/// that are not bin edges (up to a relative error of 1e-9), are not ascending or lie
/// outside the bins, and for numbers of 0 or more than the bins.
std::vector<BinRange> bin_ranges(const UniformBins& bins, const Rebinning& rebinning);

/// Ranges centred at even bin edges, as GROMACS bins: the first bin at r = 0, then two
/// bins around each r. A last bin that has no partner is left out. Throws InputError
/// for bins that do not start at r = 0.
std::vector<BinRange> centred_ranges(const UniformBins& bins);

/// Ranges of a running mean: each bin with `half` bins on both sides, fewer where the
/// bins begin and at `end`, which is the number of bins with defined values.
std::vector<BinRange> running_ranges(const UniformBins& bins, std::uint32_t half,
                                     std::uint32_t end);

/// Returns the half width in bins of a running mean over `width` [length unit], to the
/// nearest odd number of bins. Throws InputError for less than two bins and for more
/// than all.
std::uint32_t running_half_width(const UniformBins& bins, double width);

}  // namespace starhist::analysis
