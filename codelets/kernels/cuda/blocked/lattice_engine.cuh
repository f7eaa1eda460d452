#pragma once

#include "codelets/kernels/cuda/blocked/tile_loop.cuh"
#include "codelets/kernels/cuda/filter/approximations.cuh"
#include "codelets/kernels/cuda/filter/displacement.cuh"

namespace starhist::kernels::cuda {

/// Engine of count_pairs_in_tiles() for all boxes: displacements in fixed point,
/// squared distances in single precision. A lane holds rows_per_thread rows. `inside`:
/// orthogonal lattices, and counters for the farthest pair.
template <Metric metric, int rows_per_thread, bool inside>
class LatticeEngine {
 public:
  using Displacement = DisplacementOf<metric>;
  using Column = typename Displacement::Point;
  static constexpr std::uint32_t rows = 32 * rows_per_thread;
  static constexpr int tile_columns = 256 / rows_per_thread;
  static constexpr bool more_counters = inside;
  static constexpr std::uint32_t row_unit = rows;
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
                                        AmbiguityQueue<LatticeEngine>& ambiguous_pairs,
                                        const Corner& item, std::uint32_t tile) const {
    const std::uint32_t row = item.row + first_row();
    if (first_row() >= rows_of_panel<LatticeEngine>(slice) || row >= slice.row_end ||
        (slice.like && tile + tile_columns <= row + 1U)) {
      return;
    }
    const bool whole = row + rows <= slice.row_end &&
                       tile + tile_columns <= slice.column_count() &&
                       (!slice.like || tile >= row + rows);
    if (whole) {
      bin_tile<Masking::none>(args, slice, columns, binner, histogram, ambiguous_pairs,
                              item, tile);
    } else {
      bin_tile<Masking::partial>(args, slice, columns, binner, histogram,
                                 ambiguous_pairs, item, tile);
    }
  }

  /// The bin candidate of Binner::bin_candidate() for a pair, once more.
  static __device__ std::uint32_t candidate(const KernelArgs& args,
                                            const KernelSlice& slice, std::uint32_t row,
                                            std::uint32_t column) {
    const auto d =
        Displacement::distance2(args, Displacement::point(args, slice.first[row]),
                                Displacement::point(args, slice.second[column]));
    return MarginCertificate<inside>(args)(fast_root(d.r2), 0.0F).candidate;
  }

 private:
  template <Masking masking, Range range, class Histogram>
  __device__ __forceinline__ void bin_tile(
      const KernelArgs& args, const KernelSlice& slice, const Column* columns,
      Binner<range, Histogram>& binner, const Histogram& histogram,
      AmbiguityQueue<LatticeEngine>& ambiguous_pairs, const Corner& item,
      std::uint32_t tile) const {
    constexpr bool adds_all = inside && masking == Masking::none;
    const MarginCertificate<inside> placed(args);
    const std::uint32_t row = item.row + first_row() + threadIdx.x % 32U;
    const PairMask mask(slice);
#pragma unroll 1
    for (int look = 0; look < tile_columns; look += look_columns) {
#pragma unroll(Histogram::field_bits == 32 ? look_columns : 2)
      for (int c = 0; c < look_columns; ++c) {
        binner.template step<rows_per_thread>();
        const Column column = columns[look + c];
#pragma unroll
        for (int r = 0; r < rows_per_thread; ++r) {
          constexpr bool masked = masking == Masking::partial;
          const bool counts = !masked || mask(row + r * 32U, tile + look + c);
          const std::uint32_t bit = binner.pair_bit(rows_per_thread, r);
          const auto d = Displacement::distance2(args, point_[r], column);
          if constexpr (metric == Metric::searched) {
            // An error e of the squared distance causes an error e / (2 s) of s.
            constexpr float half = 0.505F;
            const float inverse = fast_inverse_root(d.r2);
            binner.binner(placed(d.r2 * inverse, half * d.search_error_r2 * inverse),
                          bit, r, counts);
          } else if constexpr (adds_all) {
            binner.bin_candidate(placed(fast_root(d.r2), 0.0F), bit);
          } else {
            binner.binner(placed(fast_root(d.r2), 0.0F), bit, r, counts);
          }
        }
        binner.template propagate_carries<rows_per_thread>(args, histogram);
      }
      ambiguous_pairs.template take<masking == Masking::none>(
          args, slice, histogram, item, tile + look, binner.take_ambiguous_pairs(),
          adds_all);
    }
  }

  Column point_[rows_per_thread];
};

}  // namespace starhist::kernels::cuda
