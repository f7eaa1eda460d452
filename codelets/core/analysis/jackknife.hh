#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

namespace starhist::analysis {

/// Standard error of an estimate from n independent groups: without(b) is the estimate
/// from all but group b, for b < n. Right for ratios of sums too, of which the mean
/// over groups would be biased (Quenouille, Biometrika 43, 353 (1956); Efron, SIAM
/// CBMS-NSF 38 (1982), eq. 3.1). NaN for fewer than two groups.
template <class Without>
double jackknife_error(std::size_t n, Without without) {
  if (n < 2) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const auto groups = static_cast<double>(n);
  double mean = 0.0;
  for (std::size_t b = 0; b < n; ++b) {
    mean += without(b) / groups;
  }
  double squares = 0.0;
  for (std::size_t b = 0; b < n; ++b) {
    const double off = without(b) - mean;
    squares += off * off;
  }
  return std::sqrt((groups - 1.0) / groups * squares);
}

}  // namespace starhist::analysis
