#pragma once

#include "codelets/kernels/cuda/blocked/tensor_pairs.cuh"
#include "codelets/kernels/cuda/blocked/tile_loop.cuh"
#include "codelets/kernels/cuda/filter/edge_certificate.cuh"
#include "codelets/kernels/cuda/tensor_products.cuh"

namespace starhist::kernels::cuda {

/// Engine of count_pairs_in_tiles() for open boxes: squared distances |a|^2 + |b|^2 - 2
/// a.b in double precision from the tensor cores. Coordinates are in bins from the
/// centre of all positions. `ambiguity_start`: DistanceFilter::certified_start is not
/// 0.
template <bool ambiguity_start>
class TensorEngine : public TensorPairs {
 public:
  /// x, y, z and |b|^2, each times DistanceFilter::coordinate_scale.
  struct Column {
    double value[4];
  };
  static constexpr int tile_columns = 256;
  static constexpr bool more_counters = false;
  static constexpr bool takes_turns = false;
  static constexpr std::uint32_t row_unit = warps * rows;

  /// Displacement of p from the centre [bins].
  __device__ static Vec3 scaled(const KernelArgs& args, Vec3 p) {
    const double w = args.bins.inverse_width;
    return {(p.x - args.geometry.centre.x) * w, (p.y - args.geometry.centre.y) * w,
            (p.z - args.geometry.centre.z) * w};
  }

  /// Column j of the slice in the form that count() takes.
  __device__ static Column column(const KernelArgs& args, const KernelSlice& slice,
                                  std::uint32_t j) {
    const Vec3 b = scaled(args, slice.second[j]);
    const double coordinate_scale = args.filter.coordinate_scale;
    return {{coordinate_scale * b.x, coordinate_scale * b.y, coordinate_scale * b.z,
             coordinate_scale * dot(b, b)}};
  }

  /// Loads this warp's rows in the panel that starts with row `row`.
  __device__ TensorEngine(const KernelArgs& args, const KernelSlice& slice,
                          std::uint32_t row) {
    const std::uint32_t lane = threadIdx.x % 32U;
#pragma unroll
    for (int f = 0; f < fragments; ++f) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const std::uint32_t i = row + first_row(f) + half * 8U + lane / 4U;
        const Vec3 a = scaled(args, slice.first[min(i, slice.row_end - 1U)]);
        const std::uint32_t component = lane % 4U;
        const double factor = component == 0   ? -2.0 * a.x
                              : component == 1 ? -2.0 * a.y
                              : component == 2 ? -2.0 * a.z
                                               : 1.0;
        factor_[f][half] = args.filter.coordinate_scale * factor;
        norm2_[f][half] =
            component == 0 ? args.filter.coordinate_scale * dot(a, a) : 0.0;
      }
    }
  }

  /// Counts the pairs with the tile of columns that starts with number `tile`.
  template <Range range, class Histogram>
  __device__ __forceinline__ void count(const KernelArgs& args,
                                        const KernelSlice& slice, const Column* columns,
                                        Binner<range, Histogram>& binner,
                                        const Histogram& histogram,
                                        AmbiguousLooks<TensorEngine>& ambiguous_pairs,
                                        const Corner& item, std::uint32_t tile) const {
    const std::uint32_t first = item.row + first_row(0);
    const std::uint32_t second = item.row + first_row(1);
    const bool whole = second + 16U <= slice.row_end &&
                       tile + tile_columns <= slice.column_count() &&
                       (!slice.like || tile >= second + 16U);
    const auto bin_columns = [&]<Masking masking>(
                                 std::integral_constant<Masking, masking>,
                                 std::uint32_t look) {
      bin_chunk<masking>(args, slice, columns + look, binner, histogram, item,
                         tile + look);
      ambiguous_pairs.template take<false>(args, slice, histogram, item, tile + look,
                                           binner.take_ambiguous_pairs(),
                                           adds_all<masking, Histogram::field_bits>);
    };
    if (whole) {
#pragma unroll 1
      for (std::uint32_t look = 0; look < tile_columns; look += look_columns) {
        bin_columns(std::integral_constant<Masking, Masking::none>{}, look);
      }
      return;
    }
#pragma unroll 1
    for (std::uint32_t look = 0; look < tile_columns; look += look_columns) {
      const Share a = share(slice, first, tile + look);
      const Share b = share(slice, second, tile + look);
      if (a == Share::all && b == Share::none) {
        bin_columns(std::integral_constant<Masking, Masking::first>{}, look);
      } else if (a != Share::none || b != Share::none) {
        bin_columns(std::integral_constant<Masking, Masking::partial>{}, look);
      }
    }
  }

 private:
  /// True: Binner::bin_added() can be used.
  template <Masking masking, int bits>
  static constexpr bool adds_all =
      bits == 32 && !ambiguity_start && masking != Masking::partial;

  /// Counted part of the pairs of a fragment's rows and the next look_columns columns.
  enum class Share { none, some, all };
  __device__ static Share share(const KernelSlice& slice, std::uint32_t row,
                                std::uint32_t column) {
    if (row >= slice.row_end || column >= slice.column_count() ||
        (slice.like && column + look_columns <= row + 1U)) {
      return Share::none;
    }
    return row + 16U <= slice.row_end &&
                   column + look_columns <= slice.column_count() &&
                   (!slice.like || column >= row + 16U)
               ? Share::all
               : Share::some;
  }

  template <Masking masking, Range range, class Histogram>
  __device__ __forceinline__ void bin_chunk(
      const KernelArgs& args, const KernelSlice& slice, const Column* columns,
      Binner<range, Histogram>& binner, const Histogram& histogram, const Corner& item,
      std::uint32_t column) const {
    using Squared = SquaredDistance<(Histogram::field_bits < 32)>;
    constexpr bool short_ones = ambiguity_start || Histogram::field_bits < 32;
    const typename Squared::template Certificate<short_ones ? Known::nothing
                                                            : Known::not_short>
        placed(args);
    const std::uint32_t lane = threadIdx.x % 32U;
    const double* values = columns[0].value + lane;
    const PairMask mask(slice);
    const double one = lane % 4U == 0 ? args.filter.coordinate_scale : 0.0;
    constexpr int halves = masking == Masking::first ? 1 : fragments;
#pragma unroll(Histogram::field_bits == 32 ? steps : 1)
    for (int step = 0; step < steps; ++step) {
      binner.template step<pairs_per_step>();
      const double b = values[step * step_columns * 4];
#pragma unroll
      for (int f = 0; f < halves; ++f) {
        double r2[4];
        // The row's norm enters as a product. As the initial sum it would take eight
        // registers.
        multiply(r2, factor_[f], norm2_[f], b, one);
#pragma unroll
        for (int q = 0; q < 4; ++q) {
          const int k = f * 4 + q;
          const Corner pair = pair_of(lane, k);
          const bool counts =
              masking != Masking::partial ||
              mask(item.row + pair.row, column + step * step_columns + pair.column);
          const Placed at = placed(Squared::of(r2[q]));
          const std::uint32_t bit = binner.pair_bit(pairs_per_step, k);
          if constexpr (adds_all<masking, Histogram::field_bits>) {
            binner.bin_added(at, bit);
          } else {
            binner.binner(at, bit, q, counts);
          }
        }
        binner.template propagate_carries<4>(args, histogram);
      }
      if constexpr (masking == Masking::first) {
        binner.template leave_out<pairs_per_step>(4);
      }
    }
  }

  double factor_[fragments][2];  ///< scaled -2 a, a component per lane, or 1
  double norm2_[fragments][2];   ///< scaled |a|^2 in every fourth lane, otherwise 0
};

}  // namespace starhist::kernels::cuda
