#pragma once

#include <cstddef>
#include <cstdint>

#include "codelets/core/base/macros.hh"
#include "codelets/core/base/vec3.hh"
#include "codelets/kernels/clusters/image_steps.hh"

namespace starhist::kernels::cuda {

/// Number of particles of a cluster.
inline constexpr std::uint32_t cluster_size = 32;
/// Number of clusters of a supercluster, one for each lane of a warp.
inline constexpr std::uint32_t superclusters = 32;

/// The box around the particles of a cluster or supercluster, each at its image nearest
/// to the first one; along the Cartesian axes.
struct ClusterRecord {
  Vec3 centre;    ///< [unit of positions]
  float half[3];  ///< half the edges [bins]
  float radius;   ///< length of `half`: bound of the distance from the centre [bins]
};

/// The largest p . v of a cluster for each vector v of ImageSteps [squared bins], with
/// p the displacement of a particle from the cluster's centre. Values of the clusters
/// of a supercluster for the same vector are adjacent in memory.
class ClusterExtent {
 public:
  STARHIST_HOST_DEVICE ClusterExtent(float* all, std::uint32_t cluster)
      : first_(all + std::size_t{cluster / superclusters} * values +
               cluster % superclusters) {}

  STARHIST_HOST_DEVICE float& operator[](int k) const {
    return first_[static_cast<std::uint32_t>(k) * superclusters];
  }
  /// Number of values of a supercluster.
  static constexpr std::size_t values = std::size_t{superclusters} * ImageSteps::most;

 private:
  float* first_;
};

/// A particle of a cluster: x, y, z of its displacement p from the centre of the
/// cluster's box [bins], and |p|^2 [squared bins], each times
/// DistanceFilter::coordinate_scale.
struct ClusterParticle {
  double value[4];
};

/// Numbers of pairs of a launch that counts optimistically.
struct OptimisticSums {
  unsigned long long next_work_item;  ///< ClusterRecords::next_work_item
  unsigned long long counted;         ///< in ClusterRecords::totals
  unsigned long long outside;         ///< out of range, counted one by one
  unsigned long long beyond;          ///< out of range, counted cluster by cluster
  /// Sum of the additions of ClusterPairCounter::correct() to the pairs out of range,
  /// modulo 2^64. They only move pairs, so the check that all are counted ignores them.
  unsigned long long moved_outside;
};

/// Data of all clusters of a launch, in scratch memory of the GPU. Each species of each
/// slice starts with a new supercluster.
struct ClusterRecords {
  unsigned long long* next_work_item = nullptr;  ///< next work item to be handed out
  ClusterParticle* particles = nullptr;          ///< cluster_size of each cluster
  ClusterRecord* clusters = nullptr;
  ClusterRecord* supers = nullptr;  ///< superclusters
  float* extents = nullptr;         ///< see extent()
  OptimisticSums* sums = nullptr;
  /// Optimistic counts, two 32-bit fields in a word:
  /// OptimisticFields::index_of_total().
  unsigned long long* totals = nullptr;

  STARHIST_HOST_DEVICE ClusterExtent extent(std::uint32_t cluster) const {
    return {extents, cluster};
  }

  /// Numbers of clusters and of superclusters of `count` particles.
  STARHIST_HOST_DEVICE static std::uint32_t clusters_of(std::size_t count) {
    return static_cast<std::uint32_t>((count + cluster_size - 1U) / cluster_size);
  }
  STARHIST_HOST_DEVICE static std::uint32_t supers_of(std::size_t count) {
    return (clusters_of(count) + superclusters - 1U) / superclusters;
  }
  /// Largest number of superclusters of a launch: values of particles are numbered with
  /// 32 bits.
  static constexpr std::size_t most_supers =
      (std::size_t{1} << 32U) /
      (superclusters * cluster_size * sizeof(ClusterParticle) / sizeof(double));
  /// Bytes of scratch memory for `supers` superclusters.
  static std::size_t bytes(std::size_t supers) {
    return first_bytes +
           supers * (superclusters * (cluster_size * sizeof(ClusterParticle) +
                                      sizeof(ClusterRecord)) +
                     sizeof(ClusterRecord) + ClusterExtent::values * sizeof(float));
  }
  /// The records in bytes(supers) bytes from `memory` on, aligned like memory from
  /// cudaMalloc.
  static ClusterRecords in(void* memory, std::size_t supers) {
    ClusterRecords records;
    records.sums = static_cast<OptimisticSums*>(memory);
    records.next_work_item = &records.sums->next_work_item;
    records.totals =
        reinterpret_cast<unsigned long long*>(static_cast<char*>(memory) + sums_bytes);
    records.particles =
        reinterpret_cast<ClusterParticle*>(static_cast<char*>(memory) + first_bytes);
    records.clusters = reinterpret_cast<ClusterRecord*>(
        records.particles + supers * superclusters * cluster_size);
    records.supers = records.clusters + supers * superclusters;
    records.extents = reinterpret_cast<float*>(records.supers + supers);
    return records;
  }

  /// Bytes from `sums` on that hold the sums, and totals for `bins` bins.
  static std::size_t optimistic_bytes(std::uint32_t bins) {
    constexpr std::size_t last_word = 4;
    return sums_bytes + sizeof(std::uint32_t) * (bins + last_word);
  }
  /// Largest number of bins that are counted optimistically: 8-bit counters in shared
  /// memory.
  static constexpr std::size_t most_optimistic_bins = std::size_t{228} * 1024;

 private:
  static constexpr std::size_t sums_bytes = 256;  // keeps the rest aligned
  static constexpr std::size_t first_bytes =
      sums_bytes + sizeof(std::uint32_t) * most_optimistic_bins;
};

/// Bytes of scratch memory for `blocks` blocks with `first` and `second` particles in
/// spatial order.
inline std::size_t scratch_bytes(std::size_t blocks, std::size_t first,
                                 std::size_t second) {
  return ClusterRecords::bytes(blocks *
                               (ClusterRecords::supers_of(first) +
                                std::size_t{ClusterRecords::supers_of(second)}));
}

}  // namespace starhist::kernels::cuda
