#pragma once

#include "codelets/kernels/cuda/judge.cuh"
#include "codelets/kernels/cuda/kernels.hh"
#include "codelets/kernels/cuda/panel_cursor.cuh"
#include "codelets/kernels/cuda/tile_sphere.cuh"

namespace starhist::cuda {

/// Spheres of the rows of each warp and of the groups of columns, where they are looked
/// at.
template <class Engine, bool tiled>
constexpr std::uint32_t spheres =
    tiled ? warps + Engine::tile_columns / NearGroups::columns : 0;

/// Bytes of shared memory besides the histogram: columns, doubts, spheres, a word for
/// additions that do not count.
template <class Engine, bool tiled>
constexpr int overhead_bytes =
    Engine::tile_columns* static_cast<int>(sizeof(typename Engine::Column)) +
    DoubtQueue::bytes + static_cast<int>(spheres<Engine, tiled> * sizeof(TileSphere)) +
    4;

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

/// Pairs of this thread's rows (one of 32, from `row` on) and columns [begin, end).
template <class Engine>
__device__ std::uint32_t pairs_of_lane(const KernelPart& part, std::uint32_t row,
                                       std::uint32_t begin, std::uint32_t end) {
  end = min(end, part.column_count());
  std::uint32_t pairs = 0;
  for (std::uint32_t i = row + threadIdx.x % 32U; i < row + Engine::rows; i += 32U) {
    const std::uint32_t first = part.like ? max(begin, i + 1U) : begin;
    pairs += i < part.row_end && first < end ? end - first : 0U;
  }
  return pairs;
}

/// The same in the groups of columns from `tile` on that `groups` has bits for.
template <class Engine>
__device__ std::uint32_t pairs_of_lane(const KernelPart& part, std::uint32_t row,
                                       std::uint32_t tile, std::uint32_t all_groups,
                                       std::uint32_t groups) {
  constexpr std::uint32_t width = NearGroups::columns;
  if (groups == all_groups) {
    return pairs_of_lane<Engine>(part, row, tile, tile + Engine::tile_columns);
  }
  std::uint32_t pairs = 0;
  for (; groups != 0; groups &= groups - 1U) {
    const std::uint32_t begin = tile + (__ffs(static_cast<int>(groups)) - 1U) * width;
    pairs += pairs_of_lane<Engine>(part, row, begin, begin + width);
  }
  return pairs;
}

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
  auto* const rows_sphere =
      reinterpret_cast<TileSphere*>(waiting + warps * doubt_capacity);
  TileSphere* const group_sphere = rows_sphere + warps;
  histogram.counts =
      reinterpret_cast<std::uint32_t*>(rows_sphere + spheres<Engine, tiled>);
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
      if constexpr (tiled) {
        rows_sphere[warp] =
            TileSphere::around(args.image, part.first, row, Engine::rows, part.row_end);
      }
      for (std::uint32_t k = 0; k < tiles; ++k) {
        const std::uint32_t tile = corner.column + k * tile_columns;
        if (threadIdx.x < tile_columns) {
          columns[threadIdx.x] = Engine::column(
              args, part, min(tile + threadIdx.x, part.column_count() - 1U));
          if constexpr (tiled) {
            group_sphere[warp] = TileSphere::around(
                args.image, part.second, tile + warp * NearGroups::columns,
                NearGroups::columns, part.column_count());
          }
        }
        __syncthreads();
        std::uint32_t near = 0;
        if constexpr (tiled) {
          constexpr std::uint32_t groups = tile_columns / NearGroups::columns;
          const NearGroups seen =
              NearGroups::look(args, rows_sphere[warp], group_sphere, groups);
          near = seen.near;
          beyond +=
              pairs_of_lane<Engine>(part, row, tile, (1U << groups) - 1U, seen.beyond);
        }
        const bool any = (!tiled || near != 0) && row < part.row_end &&
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
