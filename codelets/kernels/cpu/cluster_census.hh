#pragma once

#include "codelets/kernels/count_pairs.hh"

namespace starhist::kernels::cpu {

/// What clusters make of the pairs of a block.
struct ClusterCensus {
  std::uint64_t pairs = 0;    ///< all
  std::uint64_t rounded = 0;  ///< evaluated, without a search for each pair
  std::uint64_t general = 0;  ///< evaluated in full
  std::uint64_t out_of_range() const { return pairs - rounded - general; }
};

/// Goes through the clusters of a block as count_pairs does, and counts nothing. Its
/// positions must be in spatial order. Bins too narrow for the fast distance: all pairs
/// are general.
ClusterCensus take_cluster_census(const PairBlock& block);

}  // namespace starhist::kernels::cpu
