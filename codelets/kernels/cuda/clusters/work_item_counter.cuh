#pragma once

#include "codelets/kernels/cuda/clusters/cluster_pairs.cuh"

namespace starhist::kernels::cuda {

/// Number of pairs of a slice between a cluster of rows and the columns [begin, end).
__device__ inline std::uint32_t pairs_beside(const KernelSlice& slice,
                                             std::uint32_t cluster, std::uint32_t begin,
                                             std::uint32_t end) {
  const std::uint32_t row = max(cluster * cluster_size, slice.row_begin);
  const std::uint32_t row_end = min((cluster + 1U) * cluster_size, slice.row_end);
  end = min(end, slice.column_count());
  if (row >= row_end || begin >= end) {
    return 0;
  }
  if (!slice.like || begin >= row_end) {
    return (row_end - row) * (end - begin);
  }
  std::uint32_t pairs = 0;
  for (std::uint32_t i = row; i < row_end; ++i) {
    const std::uint32_t first = max(begin, i + 1U);
    pairs += first < end ? end - first : 0U;
  }
  return pairs;
}

/// Shared memory of a warp.
struct WarpMemory {
  SeenCluster seen[superclusters];
  std::uint32_t waiting[AmbiguousPairsOfClusters<>::words];  ///< AmbiguityQueue
  /// A bit for each cluster of a supercluster with ambiguous pairs that were counted
  /// optimistically; rarely set.
  std::uint32_t ambiguous;

  __device__ static WarpMemory& of_warp(WarpMemory* all) {
    return all[threadIdx.x / 32U];
  }
};

/// Counts the work items of a warp: a cluster of rows with some superclusters of
/// columns each. All lanes of the warp call its functions together, except beyond().
template <Range range, class Histogram, bool several_inside>
class WorkItemCounter {
 public:
  using Pairs = ClusterPairCounter<range, Histogram, several_inside>;
  using Columns = typename Pairs::Columns;
  using Clustering = SeenClusters<Pairs::local>;

  __device__ WorkItemCounter(const KernelArgs& args, const LatticeVectors& lattice,
                             const Histogram& histogram, WarpMemory& memory)
      : args_(args),
        lattice_(lattice),
        memory_(memory),
        pairs_(args, lattice, histogram, memory.waiting) {
    if constexpr (Pairs::optimistic) {
      memory.ambiguous = 0;
      __syncwarp();
    }
  }

  /// Counts cluster number `cluster` of rows of the slice with the superclusters of
  /// columns of a work item, from first_super on. Calls after_super(number of clusters
  /// counted) after each supercluster.
  template <class AfterSuper>
  __device__ void count(const KernelSlice& slice, std::uint32_t cluster,
                        std::uint32_t first_super, AfterSuper after_super) {
    const std::uint32_t number = slice.first_cluster + cluster;
    const ClusterRecord& row_record = args_.cluster_work.records.clusters[number];
    const std::uint32_t super = first_super + lane();
    const std::uint32_t super_begin = super * superclusters;
    const bool used = lane() < args_.cluster_work.superclusters_per_work_item &&
                      super < ClusterRecords::supers_of(slice.second.count) &&
                      !(slice.like && super_begin + superclusters <= cluster);
    bool near = false;
    bool single = false;
    float least = 0.0F;
    if (used) {
      const ClusterRecord& record =
          args_.cluster_work.records
              .supers[slice.second_cluster / superclusters + super];
      const ClusterView view =
          ClusterView::of_spheres(args_, lattice_, row_record, record);
      const bool beyond = view.least >= static_cast<float>(args_.bins.count);
      if (beyond && args_.cluster_work.least_begin == 0.0F) {
        constexpr std::uint32_t columns = superclusters * cluster_size;
        beyond_ +=
            pairs_beside(slice, cluster, super * columns, (super + 1U) * columns);
      }
      near = !beyond && view.least < args_.cluster_work.least_end &&
             view.most >= args_.cluster_work.least_begin;
      single = near && view.is_single(args_, lattice_, row_record, record);
      least = view.least;
    }
    std::uint32_t supers = __ballot_sync(all_lanes, near);
    if (supers == 0) {
      return;
    }
    const std::uint32_t singles = __ballot_sync(all_lanes, single);
    RowTile rows(args_.filter.coordinate_scale,
                 args_.cluster_work.records.particles + number * cluster_size);
    if constexpr (Pairs::optimistic) {
      rows.add_to_squares(args_.filter.quantised.offset());
    }
    const Corner item{cluster * cluster_size,
                      first_super * superclusters * cluster_size};
    for (; supers != 0; supers &= supers - 1U) {
      const std::uint32_t k = lowest_bit(supers);
      after_super(count_super(
          slice, rows, item, row_record, cluster, (first_super + k) * superclusters,
          __shfl_sync(all_lanes, least, k), (singles >> k & 1U) != 0));
    }
    pairs_.reevaluate(slice, item);
  }

  /// Number of pairs that this lane has found out of range cluster by cluster.
  __device__ std::uint64_t beyond() const { return beyond_; }

 private:
  static constexpr unsigned all_lanes = 0xffffffffU;
  static __device__ std::uint32_t lane() { return threadIdx.x % 32U; }
  /// Classes of the clusters of a supercluster, a bit for each cluster.
  struct Seen {
    std::uint32_t near;    ///< must be counted in this sweep
    std::uint32_t whole;   ///< subset of near: ClusterPair::whole
    std::uint32_t inside;  ///< subset of near: ClusterPair::inside
  };

  /// Counts the clusters of a supercluster, whose first one has the number `first` in
  /// its slice. super_least: lower bound of distances from the supercluster [bins];
  /// single_super: ClusterView::is_single() of it. Returns the number of counted
  /// clusters.
  __device__ __forceinline__ std::uint32_t count_super(
      const KernelSlice& slice, const RowTile& rows, const Corner& item,
      const ClusterRecord& row_record, std::uint32_t cluster, std::uint32_t first,
      float super_least, bool single_super) {
    const std::uint32_t column_cluster = first + lane();
    ClusterView view;
    bool near = false;
    bool not_short = false;
    bool inside = false;
    if (column_cluster < ClusterRecords::clusters_of(slice.second.count) &&
        !(slice.like && column_cluster < cluster)) {
      const ClusterRecord& record =
          args_.cluster_work.records.clusters[slice.second_cluster + column_cluster];
      view = ClusterView::of_spheres(args_, lattice_, row_record, record);
      view.find_images(
          args_, lattice_, row_record, record,
          args_.cluster_work.records.extent(slice.first_cluster + cluster),
          args_.cluster_work.records.extent(slice.second_cluster + column_cluster),
          single_super);
      // Not below the supercluster's bound, so that the sweep that must count the
      // cluster does not skip its supercluster.
      const float least = fmaxf(view.least, super_least);
      const auto count = static_cast<float>(args_.bins.count);
      const bool beyond = view.images == 0 || least >= count;
      near = args_.cluster_work.least_begin <= least &&
             least < args_.cluster_work.least_end;
      if (near && beyond) {
        beyond_ += pairs_beside(slice, cluster, column_cluster * cluster_size,
                                (column_cluster + 1U) * cluster_size);
      }
      near = near && !beyond;
      view.least = least;
      not_short = Pairs::optimistic ? least >= args_.filter.quantised.root_start &&
                                          row_record.radius + record.radius <
                                              args_.filter.quantised.widest_clusters
                                    : least >= args_.filter.certified_start;
      inside =
          not_short &&
          view.most < fminf(count, static_cast<float>(args_.output.window_end)) - 1.0F;
    }
    // LocalCertificate needs distances at least certified_start beyond the origin.
    const float origin =
        Pairs::local ? view.least - args_.filter.certified_start : 0.0F;
    const std::uint32_t whole_bins =
        origin > 0.0F ? static_cast<std::uint32_t>(origin) & ~3U : 0U;  // whole words
    const bool resolved = view.images != ClusterView::unresolved;
    const bool whole = near && not_short && resolved &&
                       cluster * cluster_size >= slice.row_begin &&
                       (cluster + 1U) * cluster_size <= slice.row_end &&
                       (column_cluster + 1U) * cluster_size <= slice.column_count() &&
                       (!slice.like || column_cluster > cluster);
    const bool single = !are_several(view.images);
    const Seen seen = {
        __ballot_sync(all_lanes, near), __ballot_sync(all_lanes, whole),
        __ballot_sync(all_lanes, whole && inside && (several_inside || single))};
    const double* const v = lattice_.vector[SeenCluster::first_image(view.images)];
    const Vec3 d = view.displacement - Vec3{v[0], v[1], v[2]};
    __syncwarp();
    SeenCluster& own = memory_.seen[lane()];
    RowTile::set_translations(args_.filter.coordinate_scale, d, whole_bins,
                              own.translation);
    const bool is_inside = whole && inside && (several_inside || single);
    own.images = view.images;
    own.origin = whole_bins | (is_inside ? SeenCluster::is_inside : 0U) |
                 (whole ? SeenCluster::is_whole : 0U);
    __syncwarp();
    count_clusters(slice, rows, item, seen,
                   Clustering(memory_.seen, args_.cluster_work.records.particles,
                              slice.second_cluster + first, first));
    return __popc(seen.near);
  }

  /// Counts the clusters of `seen`.
  __device__ __forceinline__ void count_clusters(const KernelSlice& slice,
                                                 const RowTile& rows,
                                                 const Corner& item, const Seen& seen,
                                                 const Clustering& clusters) {
    std::uint32_t rest = seen.near;
    if constexpr (Pairs::optimistic) {
      const std::uint32_t on_edge = seen.whole & ~seen.inside;
      const std::uint32_t of_lane =
          count_optimistically<Known::inside, Images::one>(rows, clusters,
                                                           seen.inside) |
          count_optimistically<Known::not_short, Images::several>(rows, clusters,
                                                                  on_edge);
      if (of_lane != 0) {
        atomicOr(&memory_.ambiguous, of_lane);
      }
      __syncwarp();
      if (std::uint32_t ambiguous = memory_.ambiguous; ambiguous != 0) {
        for (; ambiguous != 0; ambiguous &= ambiguous - 1U) {
          const std::uint32_t cluster = lowest_bit(ambiguous);
          pairs_.correct(slice, rows, clusters.values_of(cluster), item.row,
                         clusters.pair_of(cluster));
        }
        __syncwarp();
        memory_.ambiguous = 0;
        __syncwarp();
      }
      rest &= ~seen.whole;
    }
#pragma unroll 1
    while (rest != 0) {
      const std::uint32_t cluster = highest_bit(rest);
      rest ^= 1U << cluster;
      const Columns columns(clusters.values_of(cluster));
      const ClusterPair pair = clusters.pair_of(cluster);
      const auto count_any = [&] {
        return pairs_.count_any(slice, rows, columns, item.row, pair);
      };
      std::uint32_t is_ambiguous = 0;
      if constexpr (Pairs::optimistic) {  // others have been counted already
        is_ambiguous = count_any();
      } else {
        is_ambiguous =
            pair.inside ? pairs_.count_inside(rows, columns, pair) : count_any();
      }
      pairs_.note(slice, item, clusters, cluster, rest == 0, is_ambiguous);
    }
  }

  /// Counts the clusters selected by a mask in optimistic counters. Returns a mask of
  /// the clusters with which a pair of this lane is ambiguous.
  template <Known known, Images images>
  __device__ __forceinline__ std::uint32_t count_optimistically(
      const RowTile& rows, const Clustering& clusters, std::uint32_t chosen) {
    std::uint32_t ambiguous = 0;
    FirstProduct first{};
    clusters.template for_clusters<Columns>(
        chosen,
        [&](const Columns& columns, const ClusterPair& pair) {
          if constexpr (images == Images::one) {
            first = Pairs::first_product(rows, columns, pair);
          }
        },
        [&](const Columns& columns, const ClusterPair& pair, std::uint32_t bit,
            auto next) {
          const bool is_ambiguous = pairs_.template count_optimistically<known, images>(
              rows, columns, pair, first, next);
          ambiguous |= is_ambiguous ? bit : 0U;
        });
    return ambiguous;
  }

  const KernelArgs& args_;
  const LatticeVectors& lattice_;
  WarpMemory& memory_;
  Pairs pairs_;
  std::uint64_t beyond_ = 0;  ///< see beyond()
};

}  // namespace starhist::kernels::cuda
