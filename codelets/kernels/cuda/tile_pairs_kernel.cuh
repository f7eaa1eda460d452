#pragma once

#include "codelets/kernels/cuda/kernels.hh"
#include "codelets/kernels/cuda/tile_pairs.cuh"
#include "codelets/kernels/cuda/unit_cursor.cuh"

namespace starhist::cuda {

/// Pairs of a part between a tile of rows and the columns [begin, end).
__device__ inline std::uint32_t pairs_beside(const KernelPart& part, std::uint32_t tile,
                                             std::uint32_t begin, std::uint32_t end) {
  const std::uint32_t row = max(tile * tile_size, part.row_begin);
  const std::uint32_t row_end = min((tile + 1U) * tile_size, part.row_end);
  end = min(end, part.column_count());
  if (row >= row_end || begin >= end) {
    return 0;
  }
  if (!part.like || begin >= row_end) {
    return (row_end - row) * (end - begin);
  }
  std::uint32_t pairs = 0;
  for (std::uint32_t i = row; i < row_end; ++i) {
    const std::uint32_t first = max(begin, i + 1U);
    pairs += first < end ? end - first : 0U;
  }
  return pairs;
}

/// What a warp does with its units of work: a tile of rows and some super tiles of
/// columns.
template <Range range, class Histogram, bool several_inside>
class UnitCounter {
 public:
  using Pairs = TilePairCounter<range, Histogram, several_inside>;

  __device__ UnitCounter(const KernelArgs& args, const LatticeVectors& lattice,
                         const Histogram& histogram, std::uint32_t* waiting)
      : args_(args), lattice_(lattice), pairs_(args, lattice, histogram, waiting) {}

  /// Calls after_super() each time when a super tile of columns has been counted, with
  /// the number of its tiles that were.
  template <class AfterSuper>
  __device__ void count(const KernelPart& part, std::uint32_t tile,
                        std::uint32_t first_super, AfterSuper after_super) {
    const std::uint32_t place = part.first_tile + tile;
    const TileRecord& row_record = args_.records.tiles[place];
    const std::uint32_t super = first_super + lane();
    const std::uint32_t super_begin = super * super_tiles;
    const bool used = lane() < args_.supers_per_unit &&
                      super < TileRecords::supers_of(part.second.count) &&
                      !(part.like && super_begin + super_tiles <= tile);
    bool near = false;
    bool single = false;
    float least = 0.0F;
    if (used) {
      const TileRecord& record =
          args_.records.supers[part.second_tile / super_tiles + super];
      const TileView view = TileView::of_spheres(args_, row_record, record);
      const bool beyond = view.least >= static_cast<float>(args_.bins.count);
      if (beyond && args_.least_begin == 0.0F) {
        constexpr std::uint32_t columns = super_tiles * tile_size;
        beyond_ += pairs_beside(part, tile, super * columns, (super + 1U) * columns);
      }
      near = !beyond && view.least < args_.least_end && view.most >= args_.least_begin;
      single = near && view.is_single(args_, lattice_, row_record, record);
      least = view.least;
    }
    std::uint32_t supers = __ballot_sync(all_lanes, near);
    if (supers == 0) {
      return;
    }
    const std::uint32_t singles = __ballot_sync(all_lanes, single);
    const RowTile rows(args_.records.particles + place * tile_size);
    const Corner item{tile * tile_size, first_super * super_tiles * tile_size};
    for (; supers != 0; supers &= supers - 1U) {
      const auto k = static_cast<std::uint32_t>(__ffs(static_cast<int>(supers)) - 1);
      after_super(count_super(
          part, rows, item, row_record, tile, (first_super + k) * super_tiles,
          __shfl_sync(all_lanes, least, k), (singles >> k & 1U) != 0));
    }
    pairs_.settle(part, item);
  }

  __device__ std::uint64_t beyond() const { return beyond_; }

 private:
  static constexpr unsigned all_lanes = 0xffffffffU;
  static __device__ std::uint32_t lane() { return threadIdx.x % 32U; }

  /// The tiles of a super tile, from `first` on. Returns how many had to be counted.
  __device__ __forceinline__ std::uint32_t count_super(
      const KernelPart& part, const RowTile& rows, const Corner& item,
      const TileRecord& row_record, std::uint32_t tile, std::uint32_t first,
      float super_least, bool single) {
    const std::uint32_t column_tile = first + lane();
    TileView view;
    bool near = false;
    bool not_short = false;
    bool inside = false;
    if (column_tile < TileRecords::tiles_of(part.second.count) &&
        !(part.like && column_tile < tile)) {
      const TileRecord& record = args_.records.tiles[part.second_tile + column_tile];
      view = TileView::of_spheres(args_, row_record, record);
      view.find_images(args_, lattice_, row_record, record,
                       args_.records.reach(part.first_tile + tile),
                       args_.records.reach(part.second_tile + column_tile), single);
      // Not below what was said of the super tile: so it is looked at.
      const float least = fmaxf(view.least, super_least);
      const auto count = static_cast<float>(args_.bins.count);
      const bool beyond = view.images == 0 || least >= count;
      near = args_.least_begin <= least && least < args_.least_end;
      if (near && beyond) {
        beyond_ += pairs_beside(part, tile, column_tile * tile_size,
                                (column_tile + 1U) * tile_size);
      }
      near = near && !beyond;
      view.least = least;
      not_short = least >= args_.certified_start;
      inside = not_short &&
               view.most < fminf(count, static_cast<float>(args_.window_end)) - 1.0F;
    }
    // Far enough below: LocalCertificate.
    const float origin = Pairs::local ? view.least - args_.certified_start : 0.0F;
    const std::uint32_t whole_bins =
        origin > 0.0F ? static_cast<std::uint32_t>(origin) & ~3U : 0U;  // whole words
    const bool whole = not_short && tile * tile_size >= part.row_begin &&
                       (tile + 1U) * tile_size <= part.row_end &&
                       (column_tile + 1U) * tile_size <= part.column_count() &&
                       (!part.like || column_tile > tile);
    const std::uint32_t all_whole = __ballot_sync(all_lanes, whole);
    const bool fits_inside = several_inside ? view.images != TileView::unresolved
                                            : (view.images & (view.images - 1U)) == 0 &&
                                                  view.images != TileView::unresolved;
    const std::uint32_t all_inside =
        __ballot_sync(all_lanes, inside && whole && fits_inside);
    const std::uint32_t all_near = __ballot_sync(all_lanes, near);
    const TileParticle* const particles =
        args_.records.particles + (part.second_tile + first) * tile_size;
    // Eight at a time: four lanes each hold the components of the displacement.
    constexpr std::uint32_t round = 8;
#pragma unroll 1
    for (std::uint32_t begin = 0; begin < super_tiles; begin += round) {
      std::uint32_t left = all_near >> begin & ((1U << round) - 1U);
      if (left == 0) {
        continue;
      }
      const std::uint32_t component = RowTile::component();
      const std::uint32_t own = begin + lane() / 4U;
      const double x = __shfl_sync(all_lanes, view.displacement.x, own);
      const double y = __shfl_sync(all_lanes, view.displacement.y, own);
      const double z = __shfl_sync(all_lanes, view.displacement.z, own);
      const std::uint32_t images = __shfl_sync(all_lanes, view.images, own);
      const std::uint32_t own_origin =
          Pairs::local ? __shfl_sync(all_lanes, whole_bins, own) : 0U;
      const double d = component == 0   ? x
                       : component == 1 ? y
                       : component == 2 ? z
                                        : 0.0;
      const std::uint32_t image =
          images == 0 || images == TileView::unresolved
              ? 0U
              : static_cast<std::uint32_t>(__ffs(static_cast<int>(images)) - 1);
      const double mover =
          RowTile::mover(d - lattice_.vector[image][component], own_origin);
#pragma unroll 1
      for (; left != 0; left &= left - 1U) {
        const auto g = static_cast<std::uint32_t>(__ffs(static_cast<int>(left)) - 1);
        const typename Pairs::Columns columns(particles + (begin + g) * tile_size);
        TilePair pair;
        pair.columns = first + begin + g;
        pair.images = __shfl_sync(all_lanes, images, 4U * g);
        pair.origin = Pairs::local ? __shfl_sync(all_lanes, own_origin, 4U * g) : 0U;
        pair.displacement = d;
        pair.from = 4U * g;
        pair.mover = __shfl_sync(all_lanes, mover, 4U * g + component);
        pair.whole = (all_whole >> (begin + g) & 1U) != 0;
        const bool inside_all = (all_inside >> (begin + g) & 1U) != 0;
        if constexpr (Pairs::loose) {
          if (pair.whole && pair.images != TileView::unresolved) {
            const bool in_doubt =
                inside_all
                    ? pairs_.template count_loosely<Known::inside, several_inside>(
                          rows, columns, pair)
                    : pairs_.template count_loosely<Known::not_short, true>(
                          rows, columns, pair);
            if (__any_sync(all_lanes, in_doubt)) {
              pairs_.correct(part, rows, particles + (begin + g) * tile_size, item.row,
                             pair);
            }
            continue;
          }
        }
        const std::uint32_t in_doubt =
            !Pairs::loose && inside_all
                ? pairs_.count_inside(rows, columns, pair)
                : pairs_.count_any(part, rows, columns, item.row, pair);
        pairs_.note(part, item, pair, in_doubt, inside_all);
      }
    }
    return __popc(all_near);
  }

  const KernelArgs& args_;
  const LatticeVectors& lattice_;
  Pairs pairs_;
  std::uint64_t beyond_ = 0;  ///< pairs of this thread that are out of range
};

/// The next unit of work of a warp, of the whole GPU; beyond the last if there is none.
__device__ __forceinline__ unsigned long long next_unit(const KernelArgs& args,
                                                        bool more) {
  unsigned long long unit = ~0ULL;
  if (threadIdx.x % 32U == 0 && more) {
    unit = atomicAdd(args.records.next_unit, 1ULL);
  }
  return __shfl_sync(0xffffffffU, unit, 0);
}

/// Adds the values of all lanes; every lane has the sum.
__device__ __forceinline__ unsigned long long sum_of_warp(unsigned long long value) {
  for (int lane = 16; lane > 0; lane /= 2) {
    value += __shfl_xor_sync(0xffffffffU, value, lane);
  }
  return value;
}

/// Particles in spatial order, all boxes. Warps take units of work one by one, of the
/// whole GPU and without waiting for each other; those of a block share the histogram.
template <Range range, int bits, bool several_inside>
__global__ void __launch_bounds__(tile_threads<bits>, 1)
    count_pairs_of_tiles(const __grid_constant__ KernelArgs args) {
  extern __shared__ double2 memory[];
  auto& lattice = *reinterpret_cast<LatticeVectors*>(memory);
  auto* const waiting = reinterpret_cast<std::uint32_t*>(&lattice + 1);
  std::uint32_t* const taken =
      waiting + tile_threads<bits> / 32 * DoubtsOfTiles<>::words;
  BlockHistogram<bits> histogram;
  histogram.words = taken + 2;  // and a word for additions that do not count
  histogram.size = args.window_end - args.window_begin;
  lattice.prepare(args);
  histogram.clear();
  if (threadIdx.x == 0) {
    *taken = 0;
  }
  __syncthreads();

  UnitCounter<range, BlockHistogram<bits>, several_inside> counter(args, lattice,
                                                                   histogram, waiting);
  UnitCursor cursor(args);
  // 32-bit counts are added to the totals before as many pairs as they can hold have
  // been judged.
  const std::uint32_t units_at_a_time =
      (1U << 31U) / (args.supers_per_unit * super_tiles * tile_size * tile_size);
  bool more = true;
  for (std::uint32_t end = units_at_a_time; more; end += units_at_a_time) {
    more = false;
    for (;;) {
      const bool within = threadIdx.x % 32U == 0 && atomicAdd(taken, 1U) < end;
      const unsigned long long unit = next_unit(args, within);
      if (unit == ~0ULL) {
        more = true;
        break;
      }
      if (!cursor.move_to(unit)) {
        break;
      }
      counter.count(cursor.part(), cursor.row_tile(), cursor.first_super(),
                    [](std::uint32_t) {});
    }
    more = __syncthreads_or(static_cast<int>(more)) != 0;
    histogram.flush(args);
    if (threadIdx.x == 0) {
      *taken = end;
    }
    __syncthreads();
  }
  const unsigned long long beyond = sum_of_warp(counter.beyond());
  if (threadIdx.x % 32U == 0 && beyond != 0) {
    atomicAdd(&args.counts[args.bins.count], beyond);
    atomicAdd(args.skipped_pairs, beyond);
  }
}

}  // namespace starhist::cuda
