#include "codelets/kernels/cpu/cluster_census.hh"

#include "codelets/kernels/cpu/cluster_search.hh"

namespace starhist::kernels::cpu {

ClusterCensus take_cluster_census(const PairBlock& block) {
  ClusterCensus census;
  census.pairs = block.pair_count();
  if (census.pairs == 0) {
    return census;
  }
  FixedPoint fixed;
  make_fixed_point(block, fixed);
  if (!fixed.lattice.usable && !fixed.lattice.usable_with_images) {
    census.general = census.pairs;
    return census;
  }
  ClusterSearch search;
  search.set(block, fixed);
  ClusterSearch::Near near;
  for (std::size_t cluster = 0; cluster < search.row_clusters(); ++cluster) {
    search.visit_runs(
        cluster, near,
        [&](std::size_t begin, std::size_t end, ClusterClass of_run,
            const NearImages* images) {
          const bool general = of_run == ClusterClass::general && images == nullptr;
          (general ? census.general : census.rounded) += pairs_in(
              block, search.row_begin(cluster), search.row_end(cluster), begin, end);
        });
  }
  return census;
}

}  // namespace starhist::kernels::cpu
