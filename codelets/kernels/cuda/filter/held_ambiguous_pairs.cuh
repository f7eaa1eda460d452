#pragma once

#include "codelets/kernels/cuda/bits.cuh"
#include "codelets/kernels/cuda/cluster_records.hh"

namespace starhist::kernels::cuda {

/// Ambiguous pairs of a lane with the clusters of a supercluster, in a register, until
/// they go to the queue of the warp. Of most pairs of clusters a warp has one or two:
/// to find a place in the queue for those takes longer than to hold them.
class HeldAmbiguousPairs {
 public:
  /// Holds the pair of the highest bit of `ambiguous pairs`, if there is one; there is
  /// room.
  __device__ __forceinline__ void hold(std::uint32_t cluster,
                                       std::uint32_t ambiguous_pairs) {
    const std::uint32_t more =
        held_ << bits_of_pair | (cluster * cluster_size + highest_bit(ambiguous_pairs));
    held_ = ambiguous_pairs != 0 ? more : held_;
  }

  // For has().
  static constexpr std::uint32_t bits_of_pair = 10;
  static constexpr std::uint32_t one = 1U << bits_of_pair;
  static constexpr std::uint32_t as_many_as_fit = 1U << 3U * bits_of_pair;
  __device__ __forceinline__ bool has(std::uint32_t so_many) const {
    return held_ >= so_many;
  }

  // Of the pair that was held last.
  __device__ __forceinline__ std::uint32_t cluster() const {
    return held_ / cluster_size % superclusters;
  }
  __device__ __forceinline__ std::uint32_t bit() const { return held_ % cluster_size; }
  __device__ __forceinline__ void drop() { held_ = max(held_ >> bits_of_pair, 1U); }

 private:
  static_assert(superclusters * cluster_size == 1U << bits_of_pair);

  std::uint32_t held_ = 1;  ///< cluster and bit of each, behind a 1
};

}  // namespace starhist::kernels::cuda
