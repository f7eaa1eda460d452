#pragma once

#include "codelets/kernels/cuda/certificate.cuh"
#include "codelets/kernels/cuda/judge.cuh"
#include "codelets/kernels/cuda/row_tile.cuh"
#include "codelets/kernels/cuda/seen_tiles.cuh"

namespace starhist::cuda {

/// Of most pairs of tiles, no lane has more than two pairs in doubt.
template <Range range = Range::limited>
using DoubtsOfTiles = DoubtQueue<RowTile, range, 2>;

/// Values of the columns of a tile for the products; `held` in registers, for loops
/// that are unrolled.
template <bool held>
class ColumnTile {
 public:
  /// `values`: RowTile::lane() values on from those of the first particle.
  __device__ __forceinline__ explicit ColumnTile(const double* values)
      : values_(values) {
    if constexpr (held) {
#pragma unroll
      for (int k = 0; k < RowTile::steps; ++k) {
        step_[k] = values_[k * 32];
      }
    }
  }

  __device__ __forceinline__ double operator[](int step) const {
    if constexpr (held) {
      return step_[step];
    } else {
      return values_[step * 32];
    }
  }

 private:
  const double* values_;
  double step_[RowTile::steps];
};

/// Counts the pairs of tiles, in one way for the number of bins. `several_inside`:
/// count_inside() can also take tiles with several images. The code is longer then, and
/// what all paths together need should fit into the cache of instructions.
template <Range range, class HistogramOf, bool several_inside>
class TilePairCounter {
 public:
  using Histogram = HistogramOf;
  using Doubts = DoubtsOfTiles<range>;
  static constexpr int bits = Histogram::field_bits;
  static constexpr bool loose = bits < 32 && !Histogram::checked;
  /// Loops over all pairs of a lane would be too much code otherwise.
  static constexpr bool unrolled = !Histogram::checked;
  using Columns = ColumnTile<unrolled>;
  /// Distances are taken from an origin near them.
  static constexpr bool local = bits == 32 && range == Range::mostly;
  /// Judge::judge_added can be used.
  static constexpr bool adds_all = bits == 32;
  /// Also where some are out of range: they have a count of their own.
  static constexpr bool adds_whole = adds_all && range == Range::limited;

  __device__ TilePairCounter(const KernelArgs& args, const LatticeVectors& lattice,
                             const Histogram& histogram, std::uint32_t* waiting)
      : args_(args),
        lattice_(lattice),
        histogram_(histogram),
        judge_(args, histogram),
        doubts_(waiting) {
    if constexpr (loose) {
      // Else the address would be added to each place anew.
      first_place_ = Histogram::first_place_of_bytes() - 1U + unknown_one();
    }
  }

  // The pairs of tiles that are certain are counted; the others are returned, a bit
  // each.

  /// All 1024 count and are certain to be in range and window; with one image, unless
  /// several_inside.
  __device__ __forceinline__ std::uint32_t count_inside(const RowTile& rows,
                                                        const Columns& columns,
                                                        const TilePair& pair) {
    if constexpr (local) {
      judge_.set_origin(args_, pair.origin);
    }
    const auto placed = certificate_for<Known::inside>(pair.origin);
    for_squares<several_inside>(
        rows, columns, pair, [] {},
        [&](auto r2, std::uint32_t bit, std::uint32_t first, int slot) {
          const Placed at = placed(r2);
          if constexpr (adds_all) {
            judge_.judge_added(at, 1U << bit << first);
          } else {
            judge_.judge_inside(at, 1U << bit << first, slot, true);
            settle_carries(slot);
          }
        });
    return judge_.take_doubts();
  }

  /// Counts all 1024, none short, with a loose histogram; with one image, if they are
  /// inside. Returns whether one of this lane is in doubt: correct() has to see to it.
  /// all_squared() is called when the columns are no longer needed.
  template <Known known, class AllSquared>
  __device__ __forceinline__ bool count_loosely(const RowTile& rows,
                                                const Columns& columns,
                                                const TilePair& pair,
                                                AllSquared all_squared) {
    const auto placed = certificate_for<known>(0);
    std::uint32_t least = ~0U;
    for_squares<known != Known::inside>(
        rows, columns, pair, all_squared,
        [&](double r2, std::uint32_t, std::uint32_t, int) {
          const auto at = placed.beside(r2);
          judge_.add_loosely(at.place);
          least = min(least, at.difference);
        });
    return !placed.sure(least);
  }

  /// Moves those pairs of count_loosely(), in the totals, that were in doubt and
  /// counted in a wrong bin. Hardly ever called.
  __device__ __forceinline__ void correct(const KernelPart& part, const RowTile& rows,
                                          const double* values, std::uint32_t row,
                                          const TilePair& pair) {
    const ColumnTile<false> columns(values);
    const auto placed = certificate_for<Known::not_short>(0);
    for_squares<true, true, 1>(
        rows, columns, pair, [] {},
        [&](double r2, std::uint32_t bit, std::uint32_t first, int) {
          const auto at = placed.beside(r2);
          if (!placed.sure(at.difference)) {
            const Corner place = RowTile::pair_of(RowTile::lane(), first + bit);
            const std::uint32_t bin =
                pair_bin(args_.image, args_.bins, part.first[row + place.row],
                         part.second[pair.columns * tile_size + place.column]);
            const std::uint32_t counted =
                min(at.place - first_place_, args_.bins.count);
            if (bin != counted) {
              add_to_total(counted, ~0ULL);
              add_to_total(bin, 1ULL);
            }
          }
        });
  }

  /// `row`: the first of the tile.
  __device__ __forceinline__ std::uint32_t count_any(const KernelPart& part,
                                                     const RowTile& rows,
                                                     const Columns& columns,
                                                     std::uint32_t row,
                                                     const TilePair& pair) {
    const auto counts = [&](std::uint32_t bit) {
      const Corner place = RowTile::pair_of(RowTile::lane(), bit);
      const std::uint32_t i = row + place.row;
      return i >= part.row_begin &&
             part.has_pair(i, pair.columns * tile_size + place.column);
    };
    if (pair.images == TileView::unresolved) {
      std::uint32_t all = 0;
#pragma unroll 1
      for (std::uint32_t bit = 0; bit < 32U; ++bit) {
        all |= static_cast<std::uint32_t>(counts(bit)) << bit;
      }
      return all;
    }
    if (pair.whole) {
      judge_whole(rows, columns, pair);
    } else {
      judge_some<Known::nothing>(rows, columns, pair, counts);
    }
    return judge_.take_doubts();
  }

  // `item`: first row of the tile, and the column that doubts are counted from.

  /// `inside`: by count_inside().
  __device__ __forceinline__ void note(const KernelPart& part, const Corner& item,
                                       const TilePair& pair, std::uint32_t in_doubt,
                                       bool inside) {
    doubts_.template take<true>(args_, part, histogram_, item, pair.columns * tile_size,
                                in_doubt,
                                (adds_all && inside) || (adds_whole && pair.whole));
  }

  __device__ void settle(const KernelPart& part, const Corner& item) {
    doubts_.settle(args_, part, histogram_, item);
  }

 private:
  using Squared = SquaredDistance<(bits < 32)>;

  /// Adds 1, or -1, to that of a bin or of what is out of range. Totals that share a
  /// word are right when all has been added, whatever they borrow until then.
  __device__ __forceinline__ void add_to_total(std::uint32_t bin,
                                               unsigned long long count) const {
    const std::uint32_t bins = args_.bins.count;
    if (bin < bins) {
      atomicAdd(&args_.records.totals[Histogram::index_of_total(bin, bins)],
                count << Histogram::shift_of_total(bin));
    } else {
      atomicAdd(&args_.records.sums->moved_outside, count);
    }
  }
  static constexpr std::uint32_t movers_at_a_time = 8;

  template <Known known>
  __device__ __forceinline__ auto certificate_for(std::uint32_t origin) const {
    if constexpr (local) {
      return LocalCertificate<known>(args_, static_cast<float>(origin));
    } else if constexpr (loose) {
      return EdgeCertificate<known, true>(
          args_, first_place_,
          Histogram::place_out_of_range(args_.bins.count, RowTile::lane()));
    } else {
      return typename Squared::template Certificate<known>(args_);
    }
  }

  __device__ __forceinline__ void judge_whole(const RowTile& rows,
                                              const Columns& columns,
                                              const TilePair& pair) {
    if constexpr (adds_whole) {
      const auto placed = certificate_for<Known::not_short>(0);
      for_squares<true>(
          rows, columns, pair, [] {},
          [&](float r2, std::uint32_t bit, std::uint32_t first, int) {
            judge_.judge_added(placed(r2), 1U << bit << first);
          });
    } else {
      judge_some<Known::not_short>(rows, columns, pair,
                                   [](std::uint32_t) { return true; });
    }
  }

  template <Known known, class Counts>
  __device__ __forceinline__ void judge_some(const RowTile& rows,
                                             const Columns& columns,
                                             const TilePair& pair, Counts counts) {
    if constexpr (local) {
      judge_.set_origin(args_, pair.origin);
    }
    const auto placed = certificate_for<known>(pair.origin);
    for_squares<true>(
        rows, columns, pair, [] {},
        [&](auto r2, std::uint32_t bit, std::uint32_t first, int slot) {
          const Placed at = placed(r2);
          if constexpr (loose) {
            judge_.judge_loosely(at, 1U << bit << first, counts(first + bit));
          } else {
            judge_.judge(at, 1U << bit << first, slot, counts(first + bit));
            settle_carries(slot);
          }
        });
  }

  /// After the last of four slots.
  __device__ __forceinline__ void settle_carries(int slot) {
    if (slot == 3) {
      judge_.template settle_carries<4>(args_, histogram_);
    }
  }

  /// act(squared distance, bit, first, slot) for each pair of the lane: `bit` + `first`
  /// is its number, `bit` a constant where loops are unrolled. all_squared() when the
  /// columns are no longer needed.
  template <bool several, bool rolled = !unrolled,
            int together = unrolled ? RowTile::steps : 1, class Tile, class AllSquared,
            class Act>
  __device__ __forceinline__ void for_squares(const RowTile& rows, const Tile& columns,
                                              const TilePair& pair,
                                              AllSquared all_squared, Act act) {
    const std::uint32_t others = several ? pair.images & (pair.images - 1U) : 0U;
    double movers = others == 0 ? 0.0 : movers_of(pair, others);
#pragma unroll(rolled ? 1 : RowTile::fragments)
    for (int f = 0; f < RowTile::fragments; ++f) {
      // Steps that are taken together share the search for the other images.
#pragma unroll 1
      for (int begin = 0; begin < RowTile::steps; begin += together) {
        typename Squared::Value r2[together][4];
        square<true>(rows.moved(f, pair.mover), columns, begin, r2);
        for (std::uint32_t left = others; left != 0;) {
#pragma unroll 1
          for (std::uint32_t k = 0; k < movers_at_a_time && left != 0; ++k) {
            const double by =
                __shfl_sync(0xffffffffU, movers, 4U * k + RowTile::component());
            square<false>(rows.moved(f, by), columns, begin, r2);
            left &= left - 1U;
          }
          if (__popc(others) > movers_at_a_time) {
            movers = movers_of(pair, left != 0 ? left : others);
          }
        }
        if (f == RowTile::fragments - 1 && begin + together == RowTile::steps) {
          all_squared();
        }
        const std::uint32_t first = RowTile::bit_of(f, begin, 0);
#pragma unroll
        for (int step = 0; step < together; ++step) {
#pragma unroll
          for (int q = 0; q < 4; ++q) {
            act(r2[step][q], RowTile::bit_of(0, step, q), first, q);
          }
        }
      }
    }
  }

  /// RowTile::mover with the first of `images`, in the first four lanes, the second, in
  /// the next four, ...
  __device__ __forceinline__ double movers_of(const TilePair& pair,
                                              std::uint32_t images) const {
    std::uint32_t own = 0;
    for (std::uint32_t k = 0; k < movers_at_a_time && images != 0; ++k) {
      own = RowTile::lane() / 4U == k ? lowest_bit(images) : own;
      images &= images - 1U;
    }
    const std::uint32_t component = RowTile::component();
    const double d = component < 3 ? pair.mover * (-1.0 / tensor_unit) : 0.0;
    const double first = lattice_.vector[SeenTile::first_image(pair.images)][component];
    return RowTile::mover(d + (first - lattice_.vector[own][component]), pair.origin);
  }

  /// Squared distances with an image, or the smaller of them and r2.
  template <bool set, class Tile, int together>
  __device__ __forceinline__ static void square(
      const RowFragment& rows, const Tile& columns, int begin,
      typename Squared::Value (&r2)[together][4]) {
#pragma unroll
    for (int step = 0; step < together; ++step) {
      double product[4];
      multiply_add(product, rows.factor, columns[begin + step], rows.norm2);
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        const auto squared = Squared::of(product[q]);
        r2[step][q] = set ? squared : Squared::smaller(r2[step][q], squared);
      }
    }
  }

  const KernelArgs& args_;
  const LatticeVectors& lattice_;
  const Histogram& histogram_;
  Judge<range, Histogram> judge_;
  Doubts doubts_;
  std::uint32_t first_place_ = 0;  ///< of bin 0, where counts are loose
};

}  // namespace starhist::cuda
