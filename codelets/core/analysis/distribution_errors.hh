#pragma once

#include <vector>

#include "codelets/core/analysis/radial_distribution.hh"

namespace starhist::analysis {

/// Standard errors of radial_distribution, one per bin, by the jackknife over blocks,
/// which may differ in length (jackknife.hh). They are right where blocks are longer
/// than what the frames remember; of shorter ones they are too small. NaN where g(r) is
/// not defined, and with fewer than two blocks that have such pairs.
std::vector<double> radial_distribution_errors(const HistogramLayout& layout,
                                               const std::vector<BlockCounts>& blocks,
                                               const ShellVolumes& shells, PairId pair,
                                               Normalization normalization);

/// The same of coordination_numbers, in the same order of directions; NaN with fewer
/// than two blocks that have a centre.
std::vector<std::vector<double>> coordination_errors(
    const HistogramLayout& layout, const std::vector<BlockCounts>& blocks, PairId pair);

}  // namespace starhist::analysis
