#pragma once

#include "codelets/kernels/cuda/bits.cuh"
#include "codelets/kernels/cuda/cluster_records.hh"

namespace starhist::kernels::cuda {

/// Up to three ambiguous pairs of a lane with the clusters of a supercluster, in a
/// register, before they go to the warp's queue. Most pairs of clusters leave a warp
/// one or two ambiguous pairs; queueing them at once would take longer than holding
/// them.
class HeldAmbiguousPairs {
 public:
  /// Adds the pair of the highest bit of `ambiguous_pairs` with a cluster (its number
  /// in the supercluster); does nothing if no bit is set. has(as_many_as_fit) must be
  /// false.
  __device__ __forceinline__ void hold(std::uint32_t cluster,
                                       std::uint32_t ambiguous_pairs) {
    const std::uint32_t more =
        held_ << bits_of_pair | (cluster * cluster_size + highest_bit(ambiguous_pairs));
    held_ = ambiguous_pairs != 0 ? more : held_;
  }

  static constexpr std::uint32_t bits_of_pair = 10;
  // Numbers of pairs, as has() takes them: one, and three.
  static constexpr std::uint32_t one = 1U << bits_of_pair;
  static constexpr std::uint32_t as_many_as_fit = 1U << 3U * bits_of_pair;
  /// True if at least so_many pairs are held.
  __device__ __forceinline__ bool has(std::uint32_t so_many) const {
    return held_ >= so_many;
  }

  // Cluster and bit of the pair that was added last, which drop() removes.
  __device__ __forceinline__ std::uint32_t cluster() const {
    return held_ / cluster_size % superclusters;
  }
  __device__ __forceinline__ std::uint32_t bit() const { return held_ % cluster_size; }
  __device__ __forceinline__ void drop() { held_ = max(held_ >> bits_of_pair, 1U); }

 private:
  static_assert(superclusters * cluster_size == 1U << bits_of_pair);

  std::uint32_t held_ = 1;  ///< 10 bits of each pair, cluster and bit, behind a 1
};

}  // namespace starhist::kernels::cuda
