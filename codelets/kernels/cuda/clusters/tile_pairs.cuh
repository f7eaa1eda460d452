#pragma once

#include <type_traits>

#include "codelets/kernels/cuda/blocked/row_tile.cuh"
#include "codelets/kernels/cuda/clusters/seen_tiles.cuh"
#include "codelets/kernels/cuda/filter/edge_certificate.cuh"
#include "codelets/kernels/cuda/filter/held_doubts.cuh"
#include "codelets/kernels/cuda/filter/judge.cuh"

namespace starhist::kernels::cuda {

/// There is room for one of each lane while 32 wait.
template <Range range = Range::limited>
using DoubtsOfTiles = DoubtQueue<RowTile, range, 64>;

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

/// How many lattice vectors the pairs of two tiles need.
enum class Images { one, several };

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
        doubts_(waiting) {}

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
    for_squares<several_inside ? Images::several : Images::one>(
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

  /// Counts all 1024, none short, with a loose histogram; with one image, if `images`
  /// says so. Returns whether one of this lane is in doubt: correct() has to see to it.
  /// all_squared() is called when the columns are no longer needed. `ready`: for one
  /// image, what first_product() said.
  template <Known known, Images images, class AllSquared>
  __device__ __forceinline__ bool count_loosely(const RowTile& rows,
                                                const Columns& columns,
                                                const TilePair& pair,
                                                const FirstProduct& ready,
                                                AllSquared all_squared) {
    const auto placed = certificate_for<known>(0);
    std::uint32_t least = ~0U;
    const auto act = [&](double r2, std::uint32_t, std::uint32_t, int) {
      const auto at = placed.beside(r2);
      judge_.add_loosely(at.place);
      least = min(least, at.difference);
    };
    if constexpr (images == Images::one) {
      for_squares<Images::one>(rows, columns, pair, all_squared, act, &ready);
    } else if (are_several(pair.images)) {
      for_squares<Images::several>(rows, columns, pair, all_squared, act);
    } else {
      for_squares<Images::one>(rows, columns, pair, all_squared, act);
    }
    return !placed.sure(least);
  }

  __device__ __forceinline__ static FirstProduct first_product(const RowTile& rows,
                                                               const Columns& columns,
                                                               const TilePair& pair) {
    FirstProduct first;
    first.rows = rows.moved(0, pair.mover);
    multiply_add(first.product, first.rows.factor, columns[0], first.rows.norm2);
    return first;
  }

  /// Moves those pairs of count_loosely(), in the totals, that were in doubt and
  /// counted in a wrong bin. Hardly ever called.
  __device__ __forceinline__ void correct(const KernelPart& part, const RowTile& rows,
                                          const double* values, std::uint32_t row,
                                          const TilePair& pair) {
    const ColumnTile<false> columns(values);
    const auto placed = certificate_for<Known::not_short>(0);
    for_squares<Images::several, 1, 1>(
        rows, columns, pair, [] {},
        [&](double r2, std::uint32_t bit, std::uint32_t first, int) {
          const auto at = placed.beside(r2);
          if (!placed.sure(at.difference)) {
            const Corner place = RowTile::pair_of(RowTile::lane(), first + bit);
            const std::uint32_t bin =
                pair_bin(args_.image, args_.bins, part.first[row + place.row],
                         part.second[pair.columns * tile_size + place.column]);
            const std::uint32_t counted = min(at.place - first_place, args_.bins.count);
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
    const std::uint32_t lane = not_before(RowTile::lane());
    const auto counts = [&](std::uint32_t bit) {
      const Corner place = RowTile::pair_of(lane, bit);
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
    if constexpr (!loose) {  // there count_loosely() has seen to whole ones
      if (pair.whole) {
        judge_whole(rows, columns, pair);
        return judge_.take_doubts();
      }
    }
    judge_some<Known::nothing>(rows, columns, pair, counts);
    return judge_.take_doubts();
  }

  // `item`: first row of the tile, and the column that doubts are counted from.

  /// `columns`: number of the tile among `tiles`, `last`: of those.
  __device__ __forceinline__ void note(const KernelPart& part, const Corner& item,
                                       const SeenTiles<local>& tiles,
                                       std::uint32_t columns, bool last,
                                       std::uint32_t in_doubt) {
    held_.hold(columns, in_doubt);
    const std::uint32_t most = last ? HeldDoubts::one : HeldDoubts::as_many_as_fit;
    while (__any_sync(0xffffffffU, are_several(in_doubt) || held_.has(most))) {
      if (__any_sync(0xffffffffU, held_.has(most))) {
        while (doubts_.template put<true>(
            args_, part, histogram_, item, held_.has(HeldDoubts::one), [&] {
              const TilePair pair = tiles.pair_of(held_.tile());
              return Doubts::entry(
                  item, pair.columns * tile_size, held_.bit(),
                  (adds_all && pair.inside) || (adds_whole && pair.whole));
            })) {
          held_.drop();
        }
      }
      in_doubt = without_highest(in_doubt);
      held_.hold(columns, in_doubt);
    }
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

  template <Known known>
  __device__ __forceinline__ auto certificate_for(std::uint32_t origin) const {
    if constexpr (local) {
      return LocalCertificate<known>(args_, static_cast<float>(origin));
    } else if constexpr (loose) {
      using Certificate =
          std::conditional_t<known == Known::nothing, EdgeCertificate<Known::nothing>,
                             StepsCertificate<known>>;
      return Certificate(
          args_, Histogram::place_out_of_range(args_.bins.count, RowTile::lane()));
    } else {
      return typename Squared::template Certificate<known>(args_);
    }
  }

  __device__ __forceinline__ void judge_whole(const RowTile& rows,
                                              const Columns& columns,
                                              const TilePair& pair) {
    if constexpr (adds_whole) {
      const auto placed = certificate_for<Known::not_short>(0);
      for_squares<Images::several>(
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
    for_squares<Images::several>(
        rows, columns, pair, [] {},
        [&](auto r2, std::uint32_t bit, std::uint32_t first, int slot) {
          if constexpr (loose) {
            judge_.judge_loosely(placed(r2 - args_.steps.offset()), 1U << bit << first,
                                 counts(first + bit));
          } else {
            const Placed at = placed(r2);
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
  /// columns are no longer needed. So many fragments of rows, and steps of columns, are
  /// squared together: they share the search for the other images. `ready`: the first
  /// product, if it is known.
  template <Images images, int fragments = adds_all ? RowTile::fragments : 1,
            int steps = unrolled ? RowTile::steps : 1, class Tile, class AllSquared,
            class Act>
  __device__ __forceinline__ void for_squares(const RowTile& rows, const Tile& columns,
                                              const TilePair& pair,
                                              AllSquared all_squared, Act act,
                                              const FirstProduct* ready = nullptr) {
#pragma unroll(steps == 1 ? 1 : RowTile::fragments)
    for (int f = 0; f < RowTile::fragments; f += fragments) {
#pragma unroll 1
      for (int begin = 0; begin < RowTile::steps; begin += steps) {
        typename Squared::Value r2[fragments][steps][4];
        std::uint32_t left = 0;
        double other = 0.0;
        if constexpr (images == Images::several) {
          left = pair.images & (pair.images - 1U);
          other = other_mover(pair, left);
        }
        square<true>(rows, f, pair.mover, columns, begin, r2,
                     f == 0 && begin == 0 ? ready : nullptr);
        if constexpr (images == Images::several) {
          while (left != 0) {
            square<false>(rows, f, other, columns, begin, r2);
            left &= left - 1U;
            if (left != 0) {
              other = other_mover(pair, left);
            }
          }
        }
        if (f + fragments == RowTile::fragments && begin + steps == RowTile::steps) {
          all_squared();
        }
        const std::uint32_t first = RowTile::bit_of(f, begin, 0);
#pragma unroll
        for (int k = 0; k < fragments; ++k) {
#pragma unroll
          for (int step = 0; step < steps; ++step) {
#pragma unroll
            for (int q = 0; q < 4; ++q) {
              act(r2[k][step][q], RowTile::bit_of(k, step, q), first, q);
            }
          }
        }
      }
    }
  }

  /// RowTile::mover with the first of `images`, of which there may be none.
  __device__ __forceinline__ double other_mover(const TilePair& pair,
                                                std::uint32_t images) const {
    const std::uint32_t component = RowTile::component();
    const double d = component < 3 ? -pair.mover * args_.inverse_unit : 0.0;
    const double first = lattice_.vector[SeenTile::first_image(pair.images)][component];
    const double other = lattice_.vector[SeenTile::first_image(images)][component];
    return RowTile::mover(args_.unit, d + (first - other), pair.origin);
  }

  /// Squared distances with an image, or the smaller of them and r2. `ready`: their
  /// first product, if it is known.
  template <bool set, class Tile, int fragments, int steps>
  __device__ __forceinline__ static void square(
      const RowTile& rows, int f, double mover, const Tile& columns, int begin,
      typename Squared::Value (&r2)[fragments][steps][4],
      const FirstProduct* ready = nullptr) {
#pragma unroll
    for (int k = 0; k < fragments; ++k) {
      const bool known = ready != nullptr && k == 0;
      const RowFragment moved = known ? ready->rows : rows.moved(f + k, mover);
#pragma unroll
      for (int step = 0; step < steps; ++step) {
        double product[4];
        if (known && step == 0) {
#pragma unroll
          for (int q = 0; q < 4; ++q) {
            product[q] = ready->product[q];
          }
        } else {
          multiply_add(product, moved.factor, columns[begin + step], moved.norm2);
        }
#pragma unroll
        for (int q = 0; q < 4; ++q) {
          auto& least = r2[k][step][q];
          const auto squared = Squared::of(product[q]);
          least = set ? squared : Squared::smaller(least, squared);
        }
      }
    }
  }

  const KernelArgs& args_;
  const LatticeVectors& lattice_;
  const Histogram& histogram_;
  Judge<range, Histogram> judge_;
  Doubts doubts_;
  HeldDoubts held_;
};

}  // namespace starhist::kernels::cuda
