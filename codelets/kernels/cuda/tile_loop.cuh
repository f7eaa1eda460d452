#pragma once

#include "codelets/kernels/cuda/judge.cuh"
#include "codelets/kernels/cuda/kernels.hh"

namespace starhist::cuda {

/// Bytes of shared memory besides the histogram: columns, doubts and their number, a
/// word for additions that do not count.
template <class Engine>
constexpr int overhead_bytes =
    Engine::tile_columns* static_cast<int>(sizeof(typename Engine::Column)) +
    DoubtQueue::bytes + 4;

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
/// Engine::rows rows each in registers, the columns pass by in shared memory.
template <class Engine, Range range>
__global__ void __launch_bounds__(threads, 1)
    count_pairs_in_tiles(const __grid_constant__ KernelArgs args) {
  extern __shared__ double2 memory[];
  auto* columns = reinterpret_cast<typename Engine::Column*>(memory);
  BlockHistogram histogram;
  auto* const waiting =
      reinterpret_cast<std::uint32_t*>(columns + Engine::tile_columns);
  DoubtQueue doubts(waiting);
  histogram.counts = waiting + warps * doubt_capacity;
  histogram.size = args.window_end - args.window_begin;
  histogram.clear();

  constexpr std::uint32_t tile_columns = Engine::tile_columns;
  const std::uint32_t warp = threadIdx.x / 32U;
  Judge<range> judge(args, histogram);
  std::uint32_t pending = 0;  // at most so many pairs are in the 32-bit counts
  std::uint32_t part_index = 0;
  for (std::uint32_t index = blockIdx.x; index < args.items; index += gridDim.x) {
    while (part_index + 1 < args.part_count &&
           index >= args.part[part_index + 1].first_item) {
      ++part_index;
    }
    const KernelPart& part = args.part[part_index];
    const std::uint32_t own_index = index - part.first_item;
    const Corner item{
        part.row_begin + own_index / part.items_per_panel * panel_rows<Engine>,
        own_index % part.items_per_panel * part.columns_per_item};
    const std::uint32_t end =
        min(item.column + part.columns_per_item, part.column_count());
    if (part.like && end <= item.row + 1U) {
      continue;
    }
    const std::uint32_t row = item.row + warp * Engine::rows;
    Engine engine(args, part, row);
    for (std::uint32_t tile = item.column; tile < end; tile += tile_columns) {
      if (part.like && tile + tile_columns <= item.row + 1U) {
        continue;
      }
      if (threadIdx.x < tile_columns) {
        columns[threadIdx.x] = Engine::column(
            args, part, min(tile + threadIdx.x, part.column_count() - 1U));
      }
      __syncthreads();
      const bool any =
          row < part.row_end && !(part.like && tile + tile_columns <= row + 1U);
      const bool whole = row + Engine::rows <= part.row_end &&
                         tile + tile_columns <= part.column_count() &&
                         (!part.like || tile >= row + Engine::rows);
      if (any && whole) {
        engine.template count<Masking::none>(args, part, columns, judge, histogram,
                                             doubts, item, row, tile);
      } else if (any) {
        engine.template count<Masking::partial>(args, part, columns, judge, histogram,
                                                doubts, item, row, tile);
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
    doubts.settle(args, part, histogram, item);
  }
  __syncthreads();
  histogram.flush(args);
}

/// The kernel of an engine, for the host.
template <class Engine, Range range>
Kernel kernel_of() {
  return {count_pairs_in_tiles<Engine, range>, overhead_bytes<Engine>,
          panel_rows<Engine>, Engine::tile_columns};
}

}  // namespace starhist::cuda
