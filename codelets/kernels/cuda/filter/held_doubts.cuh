#pragma once

#include "codelets/kernels/cuda/bits.cuh"
#include "codelets/kernels/cuda/tile_records.hh"

namespace starhist::kernels::cuda {

/// Pairs in doubt of a lane with the tiles of a super tile, in a register, until they
/// go to the queue of the warp. Of most pairs of tiles a warp has one or two: to find a
/// place in the queue for those takes longer than to hold them.
class HeldDoubts {
 public:
  /// Holds the pair of the highest bit of `doubts`, if there is one; there is room.
  __device__ __forceinline__ void hold(std::uint32_t tile, std::uint32_t doubts) {
    const std::uint32_t more =
        held_ << bits_of_pair | (tile * tile_size + highest_bit(doubts));
    held_ = doubts != 0 ? more : held_;
  }

  // For has().
  static constexpr std::uint32_t bits_of_pair = 10;
  static constexpr std::uint32_t one = 1U << bits_of_pair;
  static constexpr std::uint32_t as_many_as_fit = 1U << 3U * bits_of_pair;
  __device__ __forceinline__ bool has(std::uint32_t so_many) const {
    return held_ >= so_many;
  }

  // Of the pair that was held last.
  __device__ __forceinline__ std::uint32_t tile() const {
    return held_ / tile_size % super_tiles;
  }
  __device__ __forceinline__ std::uint32_t bit() const { return held_ % tile_size; }
  __device__ __forceinline__ void drop() { held_ = max(held_ >> bits_of_pair, 1U); }

 private:
  static_assert(super_tiles * tile_size == 1U << bits_of_pair);

  std::uint32_t held_ = 1;  ///< tile and bit of each, behind a 1
};

}  // namespace starhist::kernels::cuda
