#pragma once

#include "codelets/kernels/cuda/blocked/tile_loop.cuh"
#include "codelets/kernels/cuda/filter/approximations.cuh"
#include "codelets/kernels/cuda/filter/displacement.cuh"

namespace starhist::kernels::cuda {

/// Engine of count_pairs_in_tiles() for all boxes: displacements in fixed point,
/// squared distances in single precision. `Displacement`: SkewedDisplacement or
/// OrthogonalDisplacement. A lane holds rows_per_thread rows. `inside`: orthogonal
/// lattices, and counters for the farthest pair.
template <class Displacement, int rows_per_thread, bool inside>
class LatticeEngine {
 public:
  using Column = typename Displacement::Point;
  static constexpr std::uint32_t rows = 32 * rows_per_thread;
  static constexpr int tile_columns = 256 / rows_per_thread;
  static constexpr bool more_counters = inside;
  static constexpr std::uint32_t row_unit = rows;
  /// Like pairs within a panel are counted in turns. With one row for each lane, each
  /// warp's own columns would take too long to load.
  static constexpr bool takes_turns = rows_per_thread > 1;
  /// Number of columns that a warp keeps for itself while it counts a turn.
  static constexpr std::uint32_t turn_columns = 32;
  static constexpr std::uint32_t look_columns = pairs_per_look / rows_per_thread;

  /// First row of this warp in its panel.
  static __device__ std::uint32_t first_row() { return threadIdx.x / 32U * rows; }

  /// The pair of bit `bit` of a lane of this warp: its row in the panel and its column
  /// among look_columns.
  static __device__ Corner pair_of(std::uint32_t lane, std::uint32_t bit) {
    return {first_row() + bit % rows_per_thread * 32U + lane, bit / rows_per_thread};
  }

  /// Column j of the slice in the form that count() takes.
  __device__ static Column column(const KernelArgs& args, const KernelSlice& slice,
                                  std::uint32_t j) {
    return Displacement::point(args, slice.second[j]);
  }

  /// Loads this warp's rows in the panel that starts with row `row`.
  __device__ LatticeEngine(const KernelArgs& args, const KernelSlice& slice,
                           std::uint32_t row) {
#pragma unroll
    for (int r = 0; r < rows_per_thread; ++r) {
      const std::uint32_t i = row + first_row() + r * 32U + threadIdx.x % 32U;
      point_[r] = Displacement::point(args, slice.first[min(i, slice.row_end - 1U)]);
    }
  }

  /// Counts the pairs with the tile of columns that starts with number `tile`.
  template <Range range, class Histogram>
  __device__ __forceinline__ void count(const KernelArgs& args,
                                        const KernelSlice& slice, const Column* columns,
                                        Binner<range, Histogram>& binner,
                                        const Histogram& histogram,
                                        AmbiguousLooks<LatticeEngine>& ambiguous_pairs,
                                        const Corner& item, std::uint32_t tile) const {
    const std::uint32_t row = item.row + first_row();
    if (first_row() >= rows_of_panel<LatticeEngine>(slice) || row >= slice.row_end ||
        (slice.like && tile + tile_columns <= row + 1U)) {
      return;
    }
    const bool whole = row + rows <= slice.row_end &&
                       tile + tile_columns <= slice.column_count() &&
                       (!slice.like || tile >= row + rows);
    bin_columns<tile_columns>(args, slice, columns, binner, histogram, ambiguous_pairs,
                              item, tile, whole, PairMask(slice));
  }

  /// Counts pairs within a panel of like pairs: this warp's rows with the columns
  /// [begin, end) of its turn (PanelTurns). `columns`: shared memory for turn_columns
  /// of this warp.
  template <Range range, class Histogram>
  __device__ __forceinline__ void count_turns(
      const KernelArgs& args, const KernelSlice& slice, Column* columns,
      Binner<range, Histogram>& binner, const Histogram& histogram,
      AmbiguousLooks<LatticeEngine>& ambiguous_pairs, const Corner& item,
      std::uint32_t begin, std::uint32_t end) const {
    const PanelTurns turns(slice, item.row, rows_of_panel<LatticeEngine>(slice), rows);
    const std::uint32_t block = threadIdx.x / 32U;
    const std::uint32_t until = min(end, turns.columns_of(block));
#pragma unroll 1
    for (std::uint32_t turn = begin; turn < until; turn += turn_columns) {
      const std::uint32_t column = turns.column(block, turn);
      if (column >= turns.end()) {
        continue;
      }
      __syncwarp();
      columns[threadIdx.x % 32U] = LatticeEngine::column(
          args, slice, min(column + threadIdx.x % 32U, turns.end() - 1U));
      __syncwarp();
      const bool diagonal = turn < rows;
      const bool whole = !diagonal && item.row + first_row() + rows <= turns.end() &&
                         column + turn_columns <= turns.end();
      bin_columns<turn_columns>(args, slice, columns, binner, histogram,
                                ambiguous_pairs, item, column, whole,
                                PairMask(turns.end(), turns.end(), diagonal));
    }
  }

  /// The bin candidate of Binner::bin_spared() for a pair, once more.
  static __device__ std::uint32_t candidate(const KernelArgs& args,
                                            const KernelSlice& slice, std::uint32_t row,
                                            std::uint32_t column) {
    const auto d =
        Displacement::distance2(args, Displacement::point(args, slice.first[row]),
                                Displacement::point(args, slice.second[column]));
    return MarginCertificate<inside>(args)(fast_root(d.r2), 0.0F).candidate;
  }

 private:
  /// Counts the pairs with `count` columns from number `first` on: all if `whole`,
  /// otherwise pairs in `mask`.
  template <int count, Range range, class Histogram>
  __device__ __forceinline__ void bin_columns(
      const KernelArgs& args, const KernelSlice& slice, const Column* columns,
      Binner<range, Histogram>& binner, const Histogram& histogram,
      AmbiguousLooks<LatticeEngine>& ambiguous_pairs, const Corner& item,
      std::uint32_t first, bool whole, const PairMask& mask) const {
    static_assert(count % look_columns == 0);
    if (whole) {
#pragma unroll 1
      for (int look = 0; look < count; look += look_columns) {
        bin_look<Masking::none>(args, slice, columns + look, binner, histogram,
                                ambiguous_pairs, item, first + look, mask);
      }
    } else {
#pragma unroll 1
      for (int look = 0; look < count; look += look_columns) {
        bin_look<Masking::partial>(args, slice, columns + look, binner, histogram,
                                   ambiguous_pairs, item, first + look, mask);
      }
    }
  }

  /// Counts the pairs with look_columns columns from number `first` on.
  template <Masking masking, Range range, class Histogram>
  __device__ __forceinline__ void bin_look(
      const KernelArgs& args, const KernelSlice& slice, const Column* columns,
      Binner<range, Histogram>& binner, const Histogram& histogram,
      AmbiguousLooks<LatticeEngine>& ambiguous_pairs, const Corner& item,
      std::uint32_t first, const PairMask& mask) const {
    constexpr bool adds_all = inside && masking == Masking::none;
    std::uint32_t ambiguous = 0;
    if constexpr (adds_all) {
      ambiguous = bin_all(args, columns, binner);
    } else {
      ambiguous = bin_some<masking == Masking::partial>(args, columns, binner,
                                                        histogram, item, first, mask);
    }
    ambiguous_pairs.template take<masking == Masking::none>(
        args, slice, histogram, item, first, ambiguous, adds_all);
  }

  /// Counts each pair in its bin candidate. Returns the ambiguous ones, a bit each.
  template <class PairBinner>
  __device__ __forceinline__ std::uint32_t bin_all(const KernelArgs& args,
                                                   const Column* columns,
                                                   PairBinner& binner) const {
    // The roots of several pairs one after the other: the compiler overlaps pairs only
    // then, which saves 1 % of the time.
    constexpr int columns_at_once = 2;
    constexpr int at_once = columns_at_once * rows_per_thread;
    const MarginCertificate<inside> placed(args);
#pragma unroll
    for (int c = 0; c < static_cast<int>(look_columns); c += columns_at_once) {
      float root[at_once];
#pragma unroll
      for (int n = 0; n < at_once; ++n) {
        root[n] = fast_root(Displacement::distance2(args, point_[n % rows_per_thread],
                                                    columns[c + n / rows_per_thread])
                                .r2);
      }
#pragma unroll
      for (int n = 0; n < at_once; ++n) {
        binner.bin_spared(placed.spared(root[n]));
      }
    }
    return binner.take_ambiguous_spared();
  }

  /// Counts the certified pairs, of `mask` if `masked`. Returns the ambiguous ones, a
  /// bit each.
  template <bool masked, Range range, class Histogram>
  __device__ __forceinline__ std::uint32_t bin_some(
      const KernelArgs& args, const Column* columns, Binner<range, Histogram>& binner,
      const Histogram& histogram, const Corner& item, std::uint32_t first,
      const PairMask& mask) const {
    const MarginCertificate<inside> placed(args);
    const std::uint32_t row = item.row + first_row() + threadIdx.x % 32U;
#pragma unroll(Histogram::field_bits == 32 ? look_columns : 2)
    for (int c = 0; c < static_cast<int>(look_columns); ++c) {
      binner.template step<rows_per_thread>();
      const Column column = columns[c];
#pragma unroll
      for (int r = 0; r < rows_per_thread; ++r) {
        const auto d = Displacement::distance2(args, point_[r], column);
        const bool counts = !masked || mask(row + r * 32U, first + c);
        const std::uint32_t bit = binner.pair_bit(rows_per_thread, r);
        if constexpr (Displacement::searches) {
          // An error e of the squared distance causes an error e / (2 s) of s.
          constexpr float half = 0.505F;
          const float inverse = fast_inverse_root(d.r2);
          binner.binner(placed(d.r2 * inverse, half * d.search_error_r2 * inverse), bit,
                        r, counts);
        } else {
          binner.binner(placed(fast_root(d.r2), 0.0F), bit, r, counts);
        }
      }
      binner.template propagate_carries<rows_per_thread>(args, histogram);
    }
    return binner.take_ambiguous_pairs();
  }

  Column point_[rows_per_thread];
};

}  // namespace starhist::kernels::cuda
