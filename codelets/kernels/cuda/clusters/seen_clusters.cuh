#pragma once

#include "codelets/kernels/cuda/bits.cuh"
#include "codelets/kernels/cuda/blocked/row_tile.cuh"
#include "codelets/kernels/cuda/clusters/cluster_view.cuh"

namespace starhist::kernels::cuda {

/// Result of a warp's view of a cluster of columns. In shared memory, because registers
/// of the lane that computed it would be spilled.
struct SeenCluster {
  double
      translation[4];  ///< RowTile::translation with the first image, of all components
  std::uint32_t images;  ///< ClusterView::images
  /// Origin of distances for LocalCertificate, an integer number of bins below all of
  /// them, or 0; and flags in the highest byte.
  std::uint32_t origin;
  static constexpr std::uint32_t only_bins = 0x00ffffffU;
  static constexpr std::uint32_t is_inside = 1U << 31U;  ///< ClusterPair::inside
  static constexpr std::uint32_t is_whole = 1U << 30U;   ///< ClusterPair::whole

  /// Index of the first of the images; 0, the zero vector, if there are no images or
  /// they are unresolved.
  __device__ static std::uint32_t first_image(std::uint32_t images) {
    return images == 0 || images == ClusterView::unresolved ? 0U : lowest_bit(images);
  }
};

/// A pair of clusters that a warp counts. All members except the translation are equal
/// in all lanes.
struct ClusterPair {
  std::uint32_t columns = 0;  ///< number of the cluster of columns in its slice
  std::uint32_t images = 0;   ///< SeenCluster::images
  std::uint32_t origin = 0;   ///< SeenCluster::origin without flags [bins]
  double translation = 0.0;   ///< RowTile::translation() with the first image
  bool whole = false;         ///< all 1024 are pairs of the slice, and not short
  bool inside = false;        ///< for ClusterPairCounter::count_inside()
};

/// The clusters of columns of a supercluster. local: with origins. The lanes of a warp
/// call all functions together, except pair_of(), whose cluster may differ between
/// lanes.
template <bool local>
class SeenClusters {
 public:
  /// `seen`: the results of the 32 clusters; `particles`: of all clusters of the
  /// launch; `number`: number of the first cluster among these; `first`: its number in
  /// its slice.
  __device__ __forceinline__ SeenClusters(const SeenCluster* seen,
                                          const ClusterParticle* particles,
                                          std::uint32_t number, std::uint32_t first)
      : seen_(seen),
        values_(particles[0].value),
        first_value_(not_before(number * values_per_cluster + RowTile::lane())),
        first_(first) {}

  /// The pair of the warp's rows and cluster number `cluster` of the supercluster.
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
  /// Values of a cluster for ColumnTile.
  __device__ __forceinline__ const double* values_of(std::uint32_t cluster) const {
    return values_ + (first_value_ + cluster * values_per_cluster);
  }

  /// Calls count(columns, pair, bit, next) for each cluster whose bit is set in `left`.
  /// count() calls next() when it no longer needs the columns: next() loads the next
  /// cluster's columns and calls prepare(columns, pair) with them, while count() bins
  /// the last pairs. After the last cluster, prepare() is called with the same columns
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
      // Computed here, while the pairs of this cluster are counted, not at its first
      // use.
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
  /// Index of the lane's first value; 32 bits are sufficient for
  /// ClusterRecords::most_supers.
  std::uint32_t first_value_;
  std::uint32_t first_;
};

}  // namespace starhist::kernels::cuda
