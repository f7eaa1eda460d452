#pragma once

#include <cstddef>
#include <cstdint>

#include "codelets/core/base/macros.hh"
#include "codelets/core/base/vec3.hh"
#include "codelets/kernels/clusters/image_steps.hh"

namespace starhist::kernels::cuda {

/// Particles of a cluster.
inline constexpr std::uint32_t cluster_size = 32;
/// Clusters of a supercluster, one for each lane of a warp.
inline constexpr std::uint32_t superclusters = 32;

/// The box around images of some particles that are close together.
struct ClusterRecord {
  Vec3 centre;
  float half[3];  ///< edges, in bins
  float radius;   ///< length of `half`
};

/// The largest p . v of the particles p of a cluster, from its centre, with each vector
/// v of ImageSteps; in squared bins. One beside the other for the clusters of a
/// supercluster.
class ClusterExtent {
 public:
  STARHIST_HOST_DEVICE ClusterExtent(float* all, std::uint32_t cluster)
      : first_(all + std::size_t{cluster / superclusters} * values +
               cluster % superclusters) {}

  STARHIST_HOST_DEVICE float& operator[](int k) const {
    return first_[static_cast<std::uint32_t>(k) * superclusters];
  }
  /// Of a supercluster.
  static constexpr std::size_t values = std::size_t{superclusters} * ImageSteps::most;

 private:
  float* first_;
};

/// A particle of a cluster: where it is from the centre of the cluster's box, x, y, z,
/// and the square of that; in bins times DistanceFilter::coordinate_scale.
struct ClusterParticle {
  double value[4];
};

/// Pairs of a launch that counts optimistically.
struct OptimisticSums {
  unsigned long long next_work_item;  ///< ClusterRecords::next_work_item
  unsigned long long counted;         ///< in ClusterRecords::totals
  unsigned long long outside;         ///< out of range one by one
  unsigned long long beyond;          ///< out of range cluster by cluster
  /// What correct() adds to those out of range, modulo 2^64. Apart, as it says nothing
  /// of whether all pairs have been counted.
  unsigned long long moved_outside;
};

/// What a launch knows of all clusters, in scratch memory of the GPU. The particles of
/// each species of each part begin with a supercluster of their own.
struct ClusterRecords {
  unsigned long long* next_work_item = nullptr;  ///< of work, that no warp has taken
  ClusterParticle* particles = nullptr;          ///< cluster_size of each cluster
  ClusterRecord* clusters = nullptr;
  ClusterRecord* supers = nullptr;
  float* extents = nullptr;
  OptimisticSums* sums = nullptr;
  unsigned long long* totals = nullptr;  ///< OptimisticFields::index_of_total

  STARHIST_HOST_DEVICE ClusterExtent extent(std::uint32_t cluster) const {
    return {extents, cluster};
  }

  STARHIST_HOST_DEVICE static std::uint32_t clusters_of(std::size_t count) {
    return static_cast<std::uint32_t>((count + cluster_size - 1U) / cluster_size);
  }
  STARHIST_HOST_DEVICE static std::uint32_t supers_of(std::size_t count) {
    return (clusters_of(count) + superclusters - 1U) / superclusters;
  }
  /// Of a launch: what is known of particles is numbered with 32 bits.
  static constexpr std::size_t most_supers =
      (std::size_t{1} << 32U) /
      (superclusters * cluster_size * sizeof(ClusterParticle) / sizeof(double));
  /// Bytes for so many superclusters.
  static std::size_t bytes(std::size_t supers) {
    return first_bytes +
           supers * (superclusters * (cluster_size * sizeof(ClusterParticle) +
                                      sizeof(ClusterRecord)) +
                     sizeof(ClusterRecord) + ClusterExtent::values * sizeof(float));
  }
  /// In so much memory from `memory` on, aligned as cudaMalloc does.
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

  /// From OptimisticSums on: the sums, and totals for so many bins.
  static std::size_t optimistic_bytes(std::uint32_t bins) {
    constexpr std::size_t last_word = 4;
    return sums_bytes + sizeof(std::uint32_t) * (bins + last_word);
  }
  /// Most bins that are counted optimistically: fields in shared memory.
  static constexpr std::size_t most_optimistic_bins = std::size_t{228} * 1024;

 private:
  static constexpr std::size_t sums_bytes = 256;  // keeps the rest aligned
  static constexpr std::size_t first_bytes =
      sums_bytes + sizeof(std::uint32_t) * most_optimistic_bins;
};

/// Scratch memory for blocks with particles in spatial order, so many of each species.
inline std::size_t scratch_bytes(std::size_t blocks, std::size_t first,
                                 std::size_t second) {
  return ClusterRecords::bytes(blocks *
                               (ClusterRecords::supers_of(first) +
                                std::size_t{ClusterRecords::supers_of(second)}));
}

}  // namespace starhist::kernels::cuda
