#pragma once

#include <vector>

#include "codelets/core/analysis/radial_distribution.hh"

namespace starhist::analysis {

/// Standard errors of radial_distribution(), one per range or per bin, by the jackknife
/// over blocks, which may differ in length (jackknife.hh). They are too small if blocks
/// are shorter than the correlation time of the frames. NaN if g(r) is not defined, or
/// fewer than two blocks have such pairs. `shells` belong to the same bins and blocks.
std::vector<double> radial_distribution_errors(const std::vector<BlockCounts>& blocks,
                                               const ShellVolumes& shells, PairId pair,
                                               Normalization normalization,
                                               const std::vector<BinRange>& ranges);
std::vector<double> radial_distribution_errors(const HistogramLayout& layout,
                                               const std::vector<BlockCounts>& blocks,
                                               const ShellVolumes& shells, PairId pair,
                                               Normalization normalization);

/// Standard errors of coordination_numbers(): [direction][bin]. NaN with fewer than two
/// blocks that have a centre particle.
std::vector<std::vector<double>> coordination_errors(
    const HistogramLayout& layout, const std::vector<BlockCounts>& blocks, PairId pair);

}  // namespace starhist::analysis
