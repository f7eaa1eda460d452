#pragma once

#include "codelets/kernels/cuda/bits.cuh"
#include "codelets/kernels/cuda/blocked/row_tile.cuh"
#include "codelets/kernels/cuda/clusters/cluster_view.cuh"

namespace starhist::kernels::cuda {

/// What a warp has seen of a cluster of columns, in shared memory: in registers of the
/// lane that saw it, it would be spilled.
struct SeenCluster {
  double
      translation[4];  ///< RowTile::translation with the first image, of all components
  std::uint32_t images;  ///< ClusterView::images
  /// Bins that no distance is below, or 0; in the highest byte what is known besides:
  std::uint32_t origin;
  static constexpr std::uint32_t only_bins = 0x00ffffffU;
  static constexpr std::uint32_t is_inside = 1U << 31U;  ///< for count_inside()
  static constexpr std::uint32_t is_whole = 1U << 30U;   ///< ClusterPair::whole

  /// The number of the first of the images; 0, no lattice vector, where there is none
  /// or too many.
  __device__ static std::uint32_t first_image(std::uint32_t images) {
    return images == 0 || images == ClusterView::unresolved ? 0U : lowest_bit(images);
  }
};

/// A pair of clusters that a warp counts. The same in all lanes, but for the
/// translation.
struct ClusterPair {
  std::uint32_t columns = 0;  ///< number of the cluster in its part
  std::uint32_t images = 0;   ///< SeenCluster::images
  std::uint32_t origin = 0;   ///< SeenCluster::origin, bins only
  double translation = 0.0;   ///< RowTile::translation with the first image
  /// All 1024 are pairs of the part, and Known::not_short.
  bool whole = false;
  bool inside = false;  ///< for ClusterPairCounter::count_inside
};

/// The clusters of columns of a supercluster. `local`: with origins. The lanes of a
/// warp call all functions together, but for pair_of(), which may be of another cluster
/// in each.
template <bool local>
class SeenClusters {
 public:
  /// `first`: number of the first of them in its part, `place`: among all clusters.
  __device__ __forceinline__ SeenClusters(const SeenCluster* seen,
                                          const ClusterParticle* particles,
                                          std::uint32_t candidate, std::uint32_t first)
      : seen_(seen),
        values_(particles[0].value),
        place_(not_before(candidate * values_per_cluster + RowTile::lane())),
        first_(first) {}

  __device__ __forceinline__ ClusterPair pair_of(std::uint32_t cluster) const {
    ClusterPair pair;
    pair.columns = first_ + cluster;
    pair.images = seen_[cluster].images;
    const std::uint32_t origin = seen_[cluster].origin;
    pair.origin = local ? origin & SeenCluster::only_bins : 0U;
    pair.whole = (origin & SeenCluster::is_whole) != 0;
    pair.inside = (origin & SeenCluster::is_inside) != 0;
    pair.translation = seen_[cluster].translation[RowTile::component()];
    return pair;
  }
  /// For ColumnTile.
  __device__ __forceinline__ const double* values_of(std::uint32_t cluster) const {
    return values_ + (place_ + cluster * values_per_cluster);
  }

  /// count(columns, pair, bit, next) for each cluster, a bit of `left`. It calls next()
  /// as soon as it no longer needs the columns, which are those of the next cluster
  /// from then on: they are fetched, and prepare(columns, pair) is called with them,
  /// while the last pairs of one are binned; where there is no other, with the same
  /// again.
  template <class Columns, class Prepare, class Count>
  __device__ __forceinline__ void for_clusters(std::uint32_t left, Prepare prepare,
                                               Count count) const {
    if (left == 0) {
      return;
    }
    Columns columns(values_of(lowest_bit(left)));
    ClusterPair pair = pair_of(lowest_bit(left));
    prepare(columns, pair);
#pragma unroll 1
    do {
      const std::uint32_t others = left & (left - 1U);
      // Here, while the pairs of this cluster are counted, and not when it is asked
      // for.
      std::uint32_t cluster = lowest_bit(others);
      asm volatile("" : "+r"(cluster));
      ClusterPair next = pair;
      count(columns, pair, left & (0U - left), [&] {
        if (others != 0) {
          columns = Columns(values_of(cluster));
          next = pair_of(cluster);
        }
        prepare(columns, next);
      });
      pair = next;
      left = others;
    } while (left != 0);
  }

 private:
  static constexpr std::uint32_t values_per_cluster = cluster_size * 4U;

  const SeenCluster* seen_;
  const double* values_;
  std::uint32_t
      place_;  ///< of the first that the lane needs, ClusterRecords::most_supers
  std::uint32_t first_;
};

}  // namespace starhist::kernels::cuda
