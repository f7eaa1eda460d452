#pragma once

#include <type_traits>

#include "codelets/kernels/cuda/blocked/panel_cursor.cuh"
#include "codelets/kernels/cuda/filter/ambiguous_looks.cuh"
#include "codelets/kernels/cuda/filter/binner.cuh"
#include "codelets/kernels/cuda/kernels.hh"

namespace starhist::kernels::cuda {

/// Bytes of shared memory in addition to the histogram: columns of `resident` tiles,
/// queues of ambiguous pairs, and a word for additions that do not count.
template <class Engine, int resident>
constexpr int overhead_bytes =
    resident* Engine::tile_columns* static_cast<int>(sizeof(typename Engine::Column)) +
    warps* AmbiguousLooks<Engine>::words * 4 + 4;

/// Largest number of tiles of columns in shared memory at a time. More tiles need fewer
/// barriers, and warps wait less for busier ones.
constexpr int most_resident = 8;

/// Number of tiles that hold the columns of all warps' turns.
template <class Engine>
constexpr int turn_tiles =
    static_cast<int>(warps* Engine::turn_columns) / Engine::tile_columns;

/// Number of rows of a panel, which the warps of a thread block hold in registers.
template <class Engine>
constexpr std::uint32_t panel_rows = warps* Engine::rows;

/// Largest number of pairs that a thread block adds between two calls of
/// flush_in_time() in count_pairs_in_tiles().
template <class Engine, int resident, bool turns>
constexpr std::uint32_t most_pairs_added =
    panel_rows<Engine>*(resident* Engine::tile_columns +
                        (turns ? panel_rows<Engine> / 2U + Engine::rows : 0U));

/// Counted part of the pairs of a warp's rows and some columns.
enum class Masking {
  none,    ///< all pairs count
  first,   ///< pairs of the first half of the rows
  partial  ///< any part, according to PairMask
};

/// The pairs of a slice, or of a part of it, with the limits in registers.
class PairMask {
 public:
  __device__ explicit PairMask(const KernelSlice& slice)
      : PairMask(slice.row_end, slice.column_count(), slice.like) {}
  /// Pairs of rows and columns below these ends; `like`: columns j > row i only.
  __device__ PairMask(std::uint32_t row_end, std::uint32_t column_end, bool like)
      : row_end_(row_end), column_end_(column_end), like_(like) {}

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

/// The blocked kernel of an engine. A thread block takes work items in turn. Its warps
/// hold Engine::rows rows of a panel each in registers; tiles of columns pass by in
/// shared memory, `resident` at a time. `turns`: like pairs within a panel are counted
/// as PanelTurns describes; `resident` is turn_tiles.
template <class Engine, Range range, int bits, int resident, bool turns>
__global__ void __launch_bounds__(threads, 1)
    count_pairs_in_tiles(const __grid_constant__ KernelArgs args) {
  extern __shared__ double2 memory[];
  auto* columns = reinterpret_cast<typename Engine::Column*>(memory);
  auto* const waiting =
      reinterpret_cast<std::uint32_t*>(columns + resident * Engine::tile_columns);
  using Ambiguous = AmbiguousLooks<Engine>;
  Ambiguous ambiguous_pairs(waiting + threadIdx.x / 32U * Ambiguous::words);
  BlockHistogram<bits> histogram;
  // After the queues and a word for additions that do not count.
  histogram.words = waiting + warps * Ambiguous::words + 1;
  histogram.size = Engine::more_counters
                       ? args.filter.counters
                       : args.output.window_end - args.output.window_begin;
  histogram.clear();
  __syncthreads();  // turns count without a further barrier

  constexpr std::uint32_t tile_columns = Engine::tile_columns;
  Binner<range, BlockHistogram<bits>> binner(args, histogram);
  std::uint32_t pending = 0;  // upper bound of the pairs in 32-bit counters
  PanelCursor<Engine, turns> panel(args);
  const std::uint64_t each = args.blocked_work.cost_per_item;
  for (std::uint64_t begin = blockIdx.x * each; begin < args.blocked_work.cost;
       begin += gridDim.x * each) {
    const std::uint64_t item_end = min(begin + each, args.blocked_work.cost);
    std::uint32_t tile = 0;
    std::uint32_t tile_end = 0;
    for (std::uint64_t next = begin; tile < tile_end || next < item_end;) {
      if (tile == tile_end) {
        panel.move_to(next);
        tile = panel.tile_from(next);
        next = min(item_end, panel.end());
        tile_end = panel.tile_from(next);
        continue;
      }
      const KernelSlice& slice = panel.slice();
      const bool in_turns = turns && tile < panel.turn_tiles();
      const std::uint32_t last =
          in_turns ? min(tile_end, panel.turn_tiles()) : tile_end;
      const std::uint32_t tiles = min(last - tile, most_item_columns / tile_columns);
      const Corner item{panel.row(), in_turns ? panel.row() : panel.column(tile)};
      const Engine engine(args, slice, item.row);
      constexpr std::uint32_t most_pairs = most_pairs_added<Engine, resident, turns>;
      const auto flush_in_time = [&](std::uint32_t added) {
        pending += added;
        if (bits == 32 && pending > 0xffffffffU - 2U * most_pairs) {
          // A flush must not come between the addition of an ambiguous pair and its
          // re-evaluation. So the queue is emptied first, and no thread adds before all
          // have flushed.
          ambiguous_pairs.reevaluate(args, slice, histogram, item);
          __syncthreads();
          histogram.template flush<Engine::more_counters>(args);
          __syncthreads();
          pending = 0;
        }
      };
      if constexpr (turns) {
        if (in_turns) {
          engine.count_turns(args, slice,
                             columns + threadIdx.x / 32U * Engine::turn_columns, binner,
                             histogram, ambiguous_pairs, item, tile * tile_columns,
                             (tile + tiles) * tile_columns);
          __syncthreads();
          flush_in_time(most_pairs);
        }
      }
      for (std::uint32_t k = 0; !in_turns && k < tiles; k += resident) {
        const std::uint32_t first = item.column + k * tile_columns;
        const std::uint32_t held = min(tiles - k, std::uint32_t{resident});
        for (std::uint32_t c = threadIdx.x; c < held * tile_columns; c += threads) {
          columns[c] =
              Engine::column(args, slice, min(first + c, slice.column_count() - 1U));
        }
        __syncthreads();
        for (std::uint32_t column = first; column < first + held * tile_columns;
             column += tile_columns) {
          engine.count(args, slice, columns + (column - first), binner, histogram,
                       ambiguous_pairs, item, column);
        }
        __syncthreads();
        flush_in_time(resident * panel_rows<Engine> * tile_columns);
      }
      tile += tiles;
      ambiguous_pairs.reevaluate(args, slice, histogram, item);
    }
  }
  __syncthreads();
  histogram.template flush<Engine::more_counters>(args);
}

/// True if `words` of shared memory for the histogram fit in addition to `overhead`
/// bytes; sets both in `kernel`.
inline bool fits(int overhead, std::uint32_t words, int shared_bytes, Kernel& kernel) {
  kernel.overhead_bytes = overhead;
  kernel.window_words = words;
  return overhead + 4 * static_cast<std::int64_t>(words) <= shared_bytes;
}

/// The kernel of an engine with a 32-bit counter for each of `entries` entries. Its
/// function is null if they do not fit into `shared_bytes` of shared memory.
template <class Engine>
Kernel wide_kernel_for(std::uint32_t entries, int shared_bytes) {
  Kernel kernel;
  kernel.panel_rows = panel_rows<Engine>;
  kernel.row_unit = Engine::row_unit;
  kernel.tile_columns = Engine::tile_columns;
  kernel.window = entries;
  kernel.stride = entries;
  const auto resident = [&]<int tiles>(std::integral_constant<int, tiles>, auto turns) {
    const bool room =
        fits(overhead_bytes<Engine, tiles>, entries, shared_bytes, kernel);
    if (room) {
      kernel.function =
          count_pairs_in_tiles<Engine, Range::limited, 32, tiles, turns.value>;
      kernel.turns = turns.value;
    }
    return room;
  };
  if constexpr (Engine::takes_turns) {
    if (resident(std::integral_constant<int, turn_tiles<Engine>>{}, std::true_type{})) {
      return kernel;
    }
  }
  resident(std::integral_constant<int, most_resident>{}, std::false_type{}) ||
      resident(std::integral_constant<int, 3>{}, std::false_type{}) ||
      resident(std::integral_constant<int, 2>{}, std::false_type{}) ||
      resident(std::integral_constant<int, 1>{}, std::false_type{});
  return kernel;
}

/// The kernel of an engine for `entries` entries of the counts: with the widest
/// counters that fit into `shared_bytes` of shared memory, or with several sweeps.
template <class Engine>
Kernel kernel_for(std::uint32_t entries, int shared_bytes) {
  Kernel kernel = wide_kernel_for<Engine>(entries, shared_bytes);
  if (kernel.function != nullptr) {
    return kernel;
  }
  constexpr int overhead = overhead_bytes<Engine, 1>;
  kernel.certificate = Certificate::edge;
  const std::uint32_t least_words = BlockHistogram<8>::word_count(entries);
  if (fits(overhead, BlockHistogram<16>::word_count(entries), shared_bytes, kernel)) {
    kernel.function = count_pairs_in_tiles<Engine, Range::limited, 16, 1, false>;
  } else if (fits(overhead, least_words, shared_bytes, kernel)) {
    kernel.function = count_pairs_in_tiles<Engine, Range::limited, 8, 1, false>;
  } else {
    const auto most = static_cast<std::uint32_t>(shared_bytes - overhead) / 4U;
    const std::uint32_t windows = (least_words + most - 1U) / most;
    kernel.window_words = (least_words + windows - 1U) / windows;
    kernel.window = kernel.window_words * BlockHistogram<8>::per_word;
    kernel.stride = kernel.window;
    kernel.function = count_pairs_in_tiles<Engine, Range::windowed, 8, 1, false>;
  }
  return kernel;
}

}  // namespace starhist::kernels::cuda
