#pragma once

#include <type_traits>

#include "codelets/kernels/cuda/judge.cuh"
#include "codelets/kernels/cuda/kernels.hh"
#include "codelets/kernels/cuda/panel_cursor.cuh"
#include "codelets/kernels/cuda/tile_batch.cuh"

namespace starhist::cuda {

/// Bytes of shared memory besides the histogram: columns, doubts, what is seen of
/// tiles, a word for additions that do not count.
template <class Engine, bool tiled>
constexpr int overhead_bytes =
    Engine::tile_columns* static_cast<int>(sizeof(typename Engine::Column)) +
    DoubtQueue::bytes +
    (tiled ? static_cast<int>(sizeof(typename TileBatch<Engine>::Memory)) : 0) + 4;

/// Rows of a panel: those that the warps of a thread block hold in registers.
template <class Engine>
constexpr std::uint32_t panel_rows = warps* Engine::rows;

/// What a warp does with the columns of a tile.
enum class Masking { none, partial };

/// KernelPart::has_pair with its members in registers.
class PairMask {
 public:
  __device__ explicit PairMask(const KernelPart& part)
      : row_end_(part.row_end), column_end_(part.column_count()), like_(part.like) {}

  __device__ bool operator()(std::uint32_t i, std::uint32_t j) const {
    const std::uint32_t first_column = i >= row_end_ ? column_end_
                                       : like_       ? i + 1U
                                                     : 0U;
    return j >= first_column && j < column_end_;
  }

 private:
  std::uint32_t row_end_;
  std::uint32_t column_end_;
  bool like_;
};

/// Every engine's kernel: a thread block takes work items in turn; its warps hold
/// Engine::rows rows each in registers, the columns pass by in shared memory. `tiled`:
/// groups of columns that are out of range or of the window are passed over.
template <class Engine, Range range, bool tiled>
__global__ void __launch_bounds__(threads, 1)
    count_pairs_in_tiles(const __grid_constant__ KernelArgs args) {
  extern __shared__ double2 memory[];
  auto* columns = reinterpret_cast<typename Engine::Column*>(memory);
  BlockHistogram histogram;
  auto* const waiting =
      reinterpret_cast<std::uint32_t*>(columns + Engine::tile_columns);
  DoubtQueue doubts(waiting);
  using Batch = std::conditional_t<tiled, TileBatch<Engine>, AllTiles>;
  auto* const batch_memory =
      reinterpret_cast<typename Batch::Memory*>(waiting + warps * doubt_capacity);
  histogram.counts = reinterpret_cast<std::uint32_t*>(batch_memory + (tiled ? 1 : 0));
  histogram.size = args.window_end - args.window_begin;
  histogram.clear();

  constexpr std::uint32_t tile_columns = Engine::tile_columns;
  const std::uint32_t warp = threadIdx.x / 32U;
  Judge<range> judge(args, histogram);
  std::uint64_t beyond = 0;   // pairs of this thread that are out of range
  std::uint32_t pending = 0;  // at most so many pairs are in the 32-bit counts
  PanelCursor<panel_rows<Engine>, tile_columns> panel(args);
  const std::uint64_t step =
      static_cast<std::uint64_t>(gridDim.x) * args.tiles_per_item;
  for (std::uint64_t begin = std::uint64_t{blockIdx.x} * args.tiles_per_item;
       begin < args.tiles; begin += step) {
    const std::uint64_t item_end = min(begin + args.tiles_per_item, args.tiles);
    for (std::uint64_t next = begin; next < item_end;) {
      panel.move_to(next);
      const KernelPart& part = panel.part();
      const Corner corner{panel.row(), panel.column(next)};
      const auto tiles =
          static_cast<std::uint32_t>(min(item_end, panel.end_tile()) - next);
      next += tiles;
      const std::uint32_t row = corner.row + warp * Engine::rows;
      Engine engine(args, part, row);
      Batch batch(args, part, row, *batch_memory);
      for (std::uint32_t k = 0; k < tiles; ++k) {
        const std::uint32_t tile = corner.column + k * tile_columns;
        if (k % Batch::tiles == 0) {
          beyond += batch.look(tile, min(tiles - k, Batch::tiles));
        }
        if (batch.any_near(k % Batch::tiles) == 0) {
          continue;
        }
        const std::uint32_t near = batch.near(k % Batch::tiles);
        if (threadIdx.x < tile_columns) {
          columns[threadIdx.x] = Engine::column(
              args, part, min(tile + threadIdx.x, part.column_count() - 1U));
        }
        __syncthreads();
        const bool any = near != 0 && row < part.row_end &&
                         !(part.like && tile + tile_columns <= row + 1U);
        const bool whole = row + Engine::rows <= part.row_end &&
                           tile + tile_columns <= part.column_count() &&
                           (!part.like || tile >= row + Engine::rows);
        if (any && whole) {
          engine.template count<Masking::none, tiled>(
              args, part, columns, judge, histogram, doubts, corner, row, tile, near);
        } else if (any) {
          engine.template count<Masking::partial, tiled>(
              args, part, columns, judge, histogram, doubts, corner, row, tile, near);
        }
        __syncthreads();
        constexpr std::uint32_t tile_pairs = panel_rows<Engine> * tile_columns;
        pending += tile_pairs;
        // Twice: those in doubt come later.
        if (pending > 0xffffffffU - 2U * tile_pairs) {
          histogram.flush(args);
          pending = 0;
        }
      }
      doubts.settle(args, part, histogram, corner);
    }
  }
  __syncthreads();
  histogram.flush(args);
  if (tiled && beyond != 0 && args.window_end > args.bins.count) {
    atomicAdd(&args.counts[args.bins.count], static_cast<unsigned long long>(beyond));
  }
}

/// The kernel of an engine, for the host.
template <class Engine, Range range>
Kernel kernel_of(bool tiled) {
  return {tiled ? count_pairs_in_tiles<Engine, range, true>
                : count_pairs_in_tiles<Engine, range, false>,
          tiled ? overhead_bytes<Engine, true> : overhead_bytes<Engine, false>,
          panel_rows<Engine>, Engine::tile_columns};
}

}  // namespace starhist::cuda
