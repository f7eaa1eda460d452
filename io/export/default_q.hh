#pragma once

#include "codelets/core/analysis/q_grid.hh"
#include "io/export/analysis.hh"

namespace starhist::io {

/// Returns the wave numbers of a request. Defaults:
/// - step: pi / (4 r_cut), a quarter of the resolution in q with a cut at r_cut,
///   rounded down to 1, 2 or 5 times a power of ten
/// - first: the first multiple of the step from 2 pi / r_cut on, which distances up to
///   r_cut determine; the step for Debye sums, and if the last q is smaller
/// - last: BinningLimits::rigid, at most 30/Angstrom, or 100 per length unit if the
///   unit is unknown
/// Throws InputError for q <= 0, for q beyond pi / (bin width), where bins carry no
/// information, and like make_q_grid().
analysis::QGrid choose_q_grid(const AnalysisRequest& request,
                              const HistogramLayout& layout, double r_cut);

/// Rounds `value` > 0 down to 1, 2 or 5 times a power of ten.
double round_down(double value);

/// Throws InputError for q beyond pi / (bin width).
void check_q_limit(const UniformBins& bins, double q);

}  // namespace starhist::io
