#pragma once

#include <vector>

#include "codelets/core/analysis/bin_ranges.hh"
#include "codelets/core/counting/histogram.hh"

namespace starhist::analysis {

/// Number density of species `other` at distance r from a particle of species `centre`
/// [1 / length^3], one value per range: neighbours in the shells of the range, divided
/// by centres and by the volume of these shells. Excluded pairs are not neighbours.
struct LocalDensity {
  SpeciesId centre;
  SpeciesId other;
  std::vector<double> value;   ///< NaN where it is undefined
  std::vector<double> errors;  ///< jackknife over the blocks; NaN for one block
};

/// The densities of a pair, one direction for a like pair and both for an unlike pair.
/// Boxes that have a volume define densities as far as g(r); in open boxes, and in
/// boxes that are periodic along fewer than three axes, shells are whole up to the
/// inscribed radius. NaN without a centre particle. Throws InputError when `blocks` is
/// empty, or only some of them have a volume.
std::vector<LocalDensity> local_densities(const HistogramLayout& layout,
                                          const std::vector<BlockCounts>& blocks,
                                          PairId pair,
                                          const std::vector<BinRange>& ranges);

}  // namespace starhist::analysis
