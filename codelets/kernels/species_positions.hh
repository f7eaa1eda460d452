#pragma once

#include <vector>

#include "codelets/core/counting/species_pair.hh"
#include "codelets/core/geometry/box.hh"
#include "codelets/kernels/count_pairs.hh"

namespace starhist::kernels {

/// Positions of one species. `positions` holds all species, like
/// Frame::positions, and must outlive the span.
inline PositionSpan positions_of(const std::vector<std::vector<double>>& positions,
                                 SpeciesId species) {
  const std::vector<double>& own = positions[species.index()];
  return {own.data(), own.size() / 3};
}

/// All pairs of two species. The arguments must outlive the block.
inline PairBlock all_rows(const SpeciesPair& pair,
                          const std::vector<std::vector<double>>& positions,
                          const Box& box, const UniformBins& bins) {
  PairBlock block;
  block.first = positions_of(positions, pair.first);
  block.second = positions_of(positions, pair.second);
  block.like = pair.like();
  block.row_end = block.first.count;
  block.image = &box.minimum_image();
  block.bins = &bins;
  return block;
}

}  // namespace starhist::kernels
