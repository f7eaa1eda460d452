#pragma once

#include "codelets/kernels/count_pairs.hh"

namespace starhist::kernels::cpu {

/// Numbers of pairs of a block by the work that clusters save.
struct ClusterCensus {
  std::uint64_t pairs = 0;    ///< all pairs of the block
  std::uint64_t rounded = 0;  ///< evaluated without a search for the image of each pair
  std::uint64_t general = 0;  ///< evaluated with such a search
  /// Not evaluated, because their clusters are out of range.
  std::uint64_t out_of_range() const { return pairs - rounded - general; }
};

/// The census of a block with positions in spatial order. Visits the clusters like
/// count_pairs(), without counting. All pairs are general if bins are too narrow for
/// the fast distance in single precision.
ClusterCensus take_cluster_census(const PairBlock& block);

}  // namespace starhist::kernels::cpu
