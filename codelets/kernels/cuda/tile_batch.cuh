#pragma once

#include "codelets/kernels/cuda/tile_box.cuh"
#include "codelets/kernels/cuda/tuning.hh"

namespace starhist::cuda {

/// Looks, before a thread block takes them one by one, which tiles of columns hold
/// something for which of its warps. The columns of a tile are looked at in groups of
/// 32.
template <class Engine>
class TileBatch {
 public:
  static constexpr std::uint32_t group_columns = 32;
  static constexpr std::uint32_t groups_per_tile = Engine::tile_columns / group_columns;
  static constexpr std::uint32_t groups = 64;
  static constexpr std::uint32_t tiles = groups / groups_per_tile;

  /// In shared memory.
  struct alignas(16) Memory {
    TileBox rows[warps];
    TileBox columns[groups];
    std::uint32_t near[warps][groups / 32U];
    std::uint32_t any_near[groups / 32U];
  };

  /// For the rows of the warp, from `row` on.
  __device__ TileBatch(const KernelArgs& args, const KernelPart& part,
                       std::uint32_t row, Memory& memory)
      : args_(args), part_(part), row_(row), memory_(memory) {
    const TileBox rows =
        TileBox::around(args, part.first, row, Engine::rows, part.row_end);
    if (lane() == 0) {
      memory_.rows[warp()] = rows;
    }
    __syncwarp();
  }

  /// Looks at `count` tiles from column `begin` on. Returns the pairs of this lane's
  /// rows that are out of range with all of their group. All threads of the block call
  /// it together.
  __device__ std::uint64_t look(std::uint32_t begin, std::uint32_t count) {
    __syncthreads();  // what was seen before may still be in use
    const std::uint32_t all = count * groups_per_tile;
    for (std::uint32_t g = warp(); g < all; g += warps) {
      const TileBox columns =
          TileBox::around(args_, part_.second, begin + g * group_columns, group_columns,
                          part_.column_count());
      if (lane() == 0) {
        memory_.columns[g] = columns;
      }
    }
    if (threadIdx.x < groups / 32U) {
      memory_.any_near[threadIdx.x] = 0;
    }
    __syncthreads();
    std::uint64_t beyond = 0;
    for (std::uint32_t word = 0; word * 32U < all; ++word) {
      const std::uint32_t g = word * 32U + lane();
      const std::uint32_t column = begin + g * group_columns;
      const bool used = g < all && row_ < part_.row_end &&
                        column < part_.column_count() &&
                        !(part_.like && column + group_columns <= row_ + 1U);
      const TileView view =
          used ? view_of(args_, memory_.rows[warp()], memory_.columns[g]) : TileView{};
      const std::uint32_t near = __ballot_sync(0xffffffffU, view.near);
      memory_.near[warp()][word] = near;
      if (lane() == 0 && near != 0) {
        atomicOr(&memory_.any_near[word], near);
      }
      beyond += pairs(begin + word * 32U * group_columns,
                      __ballot_sync(0xffffffffU, view.beyond));
    }
    __syncthreads();
    return beyond;
  }

  /// Whether some of `count` tiles hold something for any warp.
  __device__ bool any_near(std::uint32_t tile, std::uint32_t count) const {
    std::uint32_t any = 0;
    for (std::uint32_t k = tile; k < tile + count; ++k) {
      any |= bits(memory_.any_near, k);
    }
    return any != 0;
  }
  /// Groups of a tile that hold something for this warp.
  __device__ std::uint32_t near(std::uint32_t tile) const {
    return bits(memory_.near[warp()], tile);
  }

  /// Boxes of the warp's rows, of the groups of a tile, and of a column of the batch.
  __device__ const TileBox& rows() const { return memory_.rows[warp()]; }
  __device__ const TileBox* columns(std::uint32_t tile) const {
    return memory_.columns + tile * groups_per_tile;
  }
  __device__ const TileBox* box(std::uint32_t column) const {
    return memory_.columns + column / group_columns;
  }

  /// Pairs of this lane's rows with the groups from column `begin` on that `chosen` has
  /// bits for.
  __device__ std::uint32_t pairs(std::uint32_t begin, std::uint32_t chosen) const {
    const bool whole = row_ + Engine::rows <= part_.row_end &&
                       begin + 32U * group_columns <= part_.column_count() &&
                       (!part_.like || begin >= row_ + Engine::rows);
    if (whole) {
      return __popc(chosen) * group_columns * (Engine::rows / 32U);
    }
    std::uint32_t sum = 0;
    for (; chosen != 0; chosen &= chosen - 1U) {
      const std::uint32_t first =
          begin + (__ffs(static_cast<int>(chosen)) - 1U) * group_columns;
      const std::uint32_t end = min(first + group_columns, part_.column_count());
      for (std::uint32_t i = row_ + lane(); i < row_ + Engine::rows; i += 32U) {
        const std::uint32_t from = part_.like ? max(first, i + 1U) : first;
        sum += i < part_.row_end && from < end ? end - from : 0U;
      }
    }
    return sum;
  }

 private:
  static __device__ std::uint32_t warp() { return threadIdx.x / 32U; }
  static __device__ std::uint32_t lane() { return threadIdx.x % 32U; }

  static __device__ std::uint32_t bits(const std::uint32_t* words, std::uint32_t tile) {
    const std::uint32_t first = tile * groups_per_tile;
    return words[first / 32U] >> first % 32U & ((1U << groups_per_tile) - 1U);
  }

  const KernelArgs& args_;
  const KernelPart& part_;
  const std::uint32_t row_;
  Memory& memory_;
};

/// Where the particles are in no order: all tiles are taken.
struct AllTiles {
  static constexpr std::uint32_t tiles = 1;
  struct Memory {};

  __device__ AllTiles(const KernelArgs&, const KernelPart&, std::uint32_t, Memory&) {}
  __device__ std::uint64_t look(std::uint32_t, std::uint32_t) { return 0; }
  __device__ bool any_near(std::uint32_t, std::uint32_t) const { return true; }
  __device__ std::uint32_t near(std::uint32_t) const { return 1; }
  __device__ const TileBox* box(std::uint32_t) const { return nullptr; }
  __device__ std::uint32_t pairs(std::uint32_t, std::uint32_t) const { return 0; }
};

}  // namespace starhist::cuda
