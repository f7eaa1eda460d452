#pragma once

#include "codelets/core/analysis/q_grid.hh"
#include "io/export/analysis.hh"

namespace starhist::io {

/// The wave numbers that were asked for. Where nothing was said:
///   step     pi / (4 r_cut), four points for what a cut at r_cut can resolve, rounded
///            down to 1, 2 or 5 times a power of ten;
///   first    the step;
///   last     where bins still place rigid distances well (BinningLimits::rigid), at
///            most 30/Angstrom, or 100 per unit where the unit is not known.
/// Throws InputError for q <= 0, and beyond pi / (bin width), where bins tell nothing.
analysis::QGrid choose_q_grid(const AnalysisRequest& request,
                              const HistogramLayout& layout, double r_cut);

}  // namespace starhist::io
