#pragma once

#include "codelets/kernels/cuda/clusters/tile_pairs.cuh"

namespace starhist::kernels::cuda {

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

/// A warp's part of shared memory.
struct WarpMemory {
  SeenTile seen[super_tiles];
  std::uint32_t waiting[DoubtsOfTiles<>::words];
  /// Tiles of a super tile with pairs that were counted loosely and in doubt, a bit
  /// each. Hardly ever any.
  std::uint32_t doubtful;

  __device__ static WarpMemory& of_warp(WarpMemory* all) {
    return all[threadIdx.x / 32U];
  }
};

/// What a warp does with its units of work: a tile of rows and some super tiles of
/// columns.
template <Range range, class Histogram, bool several_inside>
class UnitCounter {
 public:
  using Pairs = TilePairCounter<range, Histogram, several_inside>;
  using Columns = typename Pairs::Columns;
  using Tiles = SeenTiles<Pairs::local>;

  __device__ UnitCounter(const KernelArgs& args, const LatticeVectors& lattice,
                         const Histogram& histogram, WarpMemory& memory)
      : args_(args),
        lattice_(lattice),
        memory_(memory),
        pairs_(args, lattice, histogram, memory.waiting) {
    if constexpr (Pairs::loose) {
      memory.doubtful = 0;
      __syncwarp();
    }
  }

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
      const TileView view = TileView::of_spheres(args_, lattice_, row_record, record);
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
    RowTile rows(args_.unit, args_.records.particles + place * tile_size);
    if constexpr (Pairs::loose) {
      rows.add_to_squares(args_.steps.offset());
    }
    const Corner item{tile * tile_size, first_super * super_tiles * tile_size};
    for (; supers != 0; supers &= supers - 1U) {
      const std::uint32_t k = lowest_bit(supers);
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
  /// Of the tiles of a super tile, a bit each.
  struct Seen {
    std::uint32_t near;    ///< has to be counted
    std::uint32_t whole;   ///< of those: all 1024 pairs count and none is short
    std::uint32_t inside;  ///< of those: for count_inside()
  };

  /// The tiles of a super tile, from `first` on. Returns how many had to be counted.
  __device__ __forceinline__ std::uint32_t count_super(
      const KernelPart& part, const RowTile& rows, const Corner& item,
      const TileRecord& row_record, std::uint32_t tile, std::uint32_t first,
      float super_least, bool single_super) {
    const std::uint32_t column_tile = first + lane();
    TileView view;
    bool near = false;
    bool not_short = false;
    bool inside = false;
    if (column_tile < TileRecords::tiles_of(part.second.count) &&
        !(part.like && column_tile < tile)) {
      const TileRecord& record = args_.records.tiles[part.second_tile + column_tile];
      view = TileView::of_spheres(args_, lattice_, row_record, record);
      view.find_images(args_, lattice_, row_record, record,
                       args_.records.reach(part.first_tile + tile),
                       args_.records.reach(part.second_tile + column_tile),
                       single_super);
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
      not_short = Pairs::loose
                      ? least >= args_.steps.root_start &&
                            row_record.radius + record.radius < args_.steps.widest_tiles
                      : least >= args_.certified_start;
      inside = not_short &&
               view.most < fminf(count, static_cast<float>(args_.window_end)) - 1.0F;
    }
    // Far enough below: LocalCertificate.
    const float origin = Pairs::local ? view.least - args_.certified_start : 0.0F;
    const std::uint32_t whole_bins =
        origin > 0.0F ? static_cast<std::uint32_t>(origin) & ~3U : 0U;  // whole words
    const bool resolved = view.images != TileView::unresolved;
    const bool whole = near && not_short && resolved &&
                       tile * tile_size >= part.row_begin &&
                       (tile + 1U) * tile_size <= part.row_end &&
                       (column_tile + 1U) * tile_size <= part.column_count() &&
                       (!part.like || column_tile > tile);
    const bool single = !are_several(view.images);
    const Seen seen = {
        __ballot_sync(all_lanes, near), __ballot_sync(all_lanes, whole),
        __ballot_sync(all_lanes, whole && inside && (several_inside || single))};
    const double* const v = lattice_.vector[SeenTile::first_image(view.images)];
    const Vec3 d = view.displacement - Vec3{v[0], v[1], v[2]};
    __syncwarp();
    SeenTile& own = memory_.seen[lane()];
    RowTile::set_movers(args_.unit, d, whole_bins, own.mover);
    const bool is_inside = whole && inside && (several_inside || single);
    own.images = view.images;
    own.origin = whole_bins | (is_inside ? SeenTile::is_inside : 0U) |
                 (whole ? SeenTile::is_whole : 0U);
    __syncwarp();
    count_tiles(
        part, rows, item, seen,
        Tiles(memory_.seen, args_.records.particles, part.second_tile + first, first));
    return __popc(seen.near);
  }

  __device__ __forceinline__ void count_tiles(const KernelPart& part,
                                              const RowTile& rows, const Corner& item,
                                              const Seen& seen, const Tiles& tiles) {
    std::uint32_t rest = seen.near;
    if constexpr (Pairs::loose) {
      const std::uint32_t on_edge = seen.whole & ~seen.inside;
      const std::uint32_t of_lane =
          count_loosely<Known::inside, Images::one>(rows, tiles, seen.inside) |
          count_loosely<Known::not_short, Images::several>(rows, tiles, on_edge);
      if (of_lane != 0) {
        atomicOr(&memory_.doubtful, of_lane);
      }
      __syncwarp();
      if (std::uint32_t doubtful = memory_.doubtful; doubtful != 0) {
        for (; doubtful != 0; doubtful &= doubtful - 1U) {
          const std::uint32_t tile = lowest_bit(doubtful);
          pairs_.correct(part, rows, tiles.values_of(tile), item.row,
                         tiles.pair_of(tile));
        }
        __syncwarp();
        memory_.doubtful = 0;
        __syncwarp();
      }
      rest &= ~seen.whole;
    }
#pragma unroll 1
    while (rest != 0) {
      const std::uint32_t tile = highest_bit(rest);
      rest ^= 1U << tile;
      const Columns columns(tiles.values_of(tile));
      const TilePair pair = tiles.pair_of(tile);
      const auto count_any = [&] {
        return pairs_.count_any(part, rows, columns, item.row, pair);
      };
      std::uint32_t in_doubt = 0;
      if constexpr (Pairs::loose) {  // others have been counted already
        in_doubt = count_any();
      } else {
        in_doubt = pair.inside ? pairs_.count_inside(rows, columns, pair) : count_any();
      }
      pairs_.note(part, item, tiles, tile, rest == 0, in_doubt);
    }
  }

  /// Returns those of the chosen tiles that pairs of this lane are in doubt with, a bit
  /// each.
  template <Known known, Images images>
  __device__ __forceinline__ std::uint32_t count_loosely(const RowTile& rows,
                                                         const Tiles& tiles,
                                                         std::uint32_t chosen) {
    std::uint32_t doubtful = 0;
    FirstProduct first{};
    tiles.template for_tiles<Columns>(
        chosen,
        [&](const Columns& columns, const TilePair& pair) {
          if constexpr (images == Images::one) {
            first = Pairs::first_product(rows, columns, pair);
          }
        },
        [&](const Columns& columns, const TilePair& pair, std::uint32_t bit,
            auto next) {
          const bool in_doubt = pairs_.template count_loosely<known, images>(
              rows, columns, pair, first, next);
          doubtful |= in_doubt ? bit : 0U;
        });
    return doubtful;
  }

  const KernelArgs& args_;
  const LatticeVectors& lattice_;
  WarpMemory& memory_;
  Pairs pairs_;
  std::uint64_t beyond_ = 0;  ///< pairs of this thread that are out of range
};

}  // namespace starhist::kernels::cuda
