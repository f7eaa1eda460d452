#pragma once

#include <vector>

#include "codelets/core/analysis/shell_volumes.hh"

namespace starhist::analysis {

/// Fraction of the whole spherical shell of bin k in bin `column` of a second axis. For
/// cosines all fractions are equal: the area of a zone of a sphere is proportional to
/// its height. Otherwise the shell is cut by slabs, and the fraction is 0 beyond its
/// upper radius.
double share_of_shell(const UniformBins& bins, const SecondAxis& axis, std::uint32_t k,
                      std::uint32_t column);

/// Values by distance and second axis, [bin * axis.count + column], and their standard
/// errors.
struct SecondAxisValues {
  std::vector<double> values;
  std::vector<double> errors;
};

/// g(r, second axis) of a pair: counts / orders / (sum P/V) / volume of the part of the
/// shell; 1 everywhere for an ideal gas. NaN beyond the inscribed radius, where the box
/// cuts shells, and in parts without volume. Errors as radial_distribution_errors().
/// Throws InputError like ShellVolumes. layout.second is set.
///
/// In a plane, a part is the annulus times twice the width of the bin of separations;
/// NaN where g(r) is, and in bins beyond half the smallest period along the normal.
/// Throws InputError if a frame has no such period.
SecondAxisValues second_axis_distribution(const HistogramLayout& layout,
                                          const std::vector<BlockCounts>& blocks,
                                          PairId pair);

/// Mean of the Legendre polynomial P_degree over a bin of a cosine.
double mean_legendre(int degree, double low, double high);

/// Mean of P_degree(cos) of the pairs in each bin of the distance, from the counts,
/// with the mean of the polynomial over each bin of the cosine; errors by the jackknife
/// over blocks. NaN in bins without pairs.
SecondAxisValues legendre_moments(const HistogramLayout& layout,
                                  const std::vector<BlockCounts>& blocks, PairId pair,
                                  int degree);

}  // namespace starhist::analysis
