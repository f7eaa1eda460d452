#pragma once

#include <vector>

#include "codelets/core/analysis/q_grid.hh"
#include "codelets/core/counting/bins.hh"

namespace starhist::analysis {

/// Contribution of a pair in a bin to a Debye sum: an estimate of sin(q r) / (q r) from
/// only the bin's centre c and the bin width w = 2 h,
///
///   sin(qc)/(qc) / (sin(qh)/(qh))  +  h^2/(3 c^2) (cos(qc) - sin(qc)/(qc)).
///
/// Averaged over the position of r in its bin, this is sin(q r) / (q r) up to terms of
/// order (q w)^4, so a sum over a smooth distribution is accurate to that order
/// (summation by parts). With only the centre, sin(qc)/(qc), every sum would be too
/// small by (q w)^2 / 24, and a g(r) that is constant within bins by (q w)^2 / 12.
///
/// A distance that is the same in all frames, such as a rigid bond, is known only to
/// +-w/2, a phase error of up to q w / 2. Beyond q = pi / w the bins carry no
/// information.
double binned_sinc(double q, double centre, double width);

/// sin(x) / x, 1 at 0.
double sinc(double x);

/// Transforms each curve (one value per bin, of which the first `bin_count` are used)
/// at each q: result[curve][q] is the sum over bins of value * binned_sinc(). The cost
/// is O(number of curves, bins and wave numbers multiplied); 36 curves of 10 000 bins
/// for 1000 q take about half a second.
std::vector<std::vector<double>> sine_transforms(
    const UniformBins& bins, std::uint32_t bin_count, const QGrid& grid,
    const std::vector<std::vector<double>>& curves);

/// Limits of q determined by the bin width w [1 / length].
struct BinningLimits {
  double rigid = 0.0;     ///< 0.2 / w: phase of a fixed distance right to 0.1 rad
  double smooth = 0.0;    ///< 2 / w: sums over smooth distributions right to about 1 %
  double absolute = 0.0;  ///< pi / w
};
BinningLimits binning_limits(const UniformBins& bins);

}  // namespace starhist::analysis
