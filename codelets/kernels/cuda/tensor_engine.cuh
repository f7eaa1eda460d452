#pragma once

#include "codelets/kernels/cuda/tile_loop.cuh"

namespace starhist::cuda {

/// Open boxes: squared distances |a|^2 + |b|^2 - 2 a.b in double precision from the
/// tensor cores.
///
/// Coordinates are in bins from the centre, times 2^-448: the squared distance then
/// comes out times 2^-896, and the bits of the double, shifted left by three, begin
/// with those of a float of the same value (rounded towards zero; a negative value,
/// that is, a zero with its rounding errors, turns positive).
template <bool doubt_start>
class TensorEngine {
 public:
  /// x, y, z, |b|^2.
  struct Column {
    double value[4];
  };
  static constexpr int fragments = 2;
  static constexpr std::uint32_t rows = 16 * fragments;
  static constexpr int tile_columns = 256;

  __device__ static Vec3 scaled(const KernelArgs& args, Vec3 p) {
    const double w = args.bins.inverse_width;
    return {(p.x - args.centre.x) * w, (p.y - args.centre.y) * w,
            (p.z - args.centre.z) * w};
  }

  __device__ static Column column(const KernelArgs& args, const KernelPart& part,
                                  std::uint32_t j) {
    const Vec3 b = scaled(args, part.second[j]);
    return {{unit * b.x, unit * b.y, unit * b.z, unit * dot(b, b)}};
  }

  __device__ TensorEngine(const KernelArgs& args, const KernelPart& part,
                          std::uint32_t row) {
    const std::uint32_t lane = threadIdx.x % 32U;
#pragma unroll
    for (int f = 0; f < fragments; ++f) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const std::uint32_t i = row + f * 16U + half * 8U + lane / 4U;
        const Vec3 a = scaled(args, part.first[min(i, part.row_end - 1U)]);
        const std::uint32_t component = lane % 4U;
        const double factor = component == 0   ? -2.0 * a.x
                              : component == 1 ? -2.0 * a.y
                              : component == 2 ? -2.0 * a.z
                                               : 1.0;
        factor_[f][half] = unit * factor;
        norm2_[f][half] = component == 0 ? unit * dot(a, a) : 0.0;
      }
    }
  }

  /// Of groups of 32 columns only those that `near` has bits for, if `tiled`.
  template <Masking masking, bool tiled, Range range>
  __device__ __forceinline__ void count(const KernelArgs& args, const KernelPart& part,
                                        const Column* columns, Judge<range>& judge,
                                        const BlockHistogram& histogram,
                                        DoubtQueue& doubts, const Corner& item,
                                        std::uint32_t row, std::uint32_t tile,
                                        std::uint32_t near) const {
    constexpr int columns_per_step = 8;
    constexpr int pairs_per_step = 4 * fragments;
    constexpr int steps_per_look = pairs_per_look / pairs_per_step;
    const RelativeCertificate<doubt_start> placed(args);
    const std::uint32_t lane = threadIdx.x % 32U;
    const double* values = columns[0].value + lane;
    const std::uint32_t first_row = row + lane / 4U;
    const std::uint32_t first_column = tile + lane % 4U * 2U;
    const PairMask mask(part);
    const double one = lane % 4U == 0 ? unit : 0.0;
#pragma unroll 1
    for (int look = 0; look < tile_columns; look += steps_per_look * columns_per_step) {
      if (tiled && (near >> look / 32 & 1U) == 0) {
        continue;
      }
#pragma unroll
      for (int step = 0; step < steps_per_look; ++step) {
        const int at = look + step * columns_per_step;
        const double b = values[at * 4];
#pragma unroll
        for (int f = 0; f < fragments; ++f) {
          double r2[4];
          multiply(r2, factor_[f], norm2_[f], b, one);
#pragma unroll
          for (int q = 0; q < 4; ++q) {
            constexpr bool masked = masking == Masking::partial;
            const bool counts = !masked || mask(first_row + f * 16U + q / 2 * 8U,
                                                first_column + at + q % 2U);
            judge.judge(placed(fast_root(as_float(r2[q]))),
                        1U << (step * pairs_per_step + f * 4 + q), counts);
          }
        }
      }
      doubts.take(
          args, part, histogram, item, judge.take_doubts(), [&](std::uint32_t bit) {
            const std::uint32_t step = bit / pairs_per_step;
            const std::uint32_t f = bit % pairs_per_step / 4U;
            const std::uint32_t q = bit % 4U;
            return Corner{first_row + f * 16U + q / 2U * 8U,
                          first_column + look + step * columns_per_step + q % 2U};
          });
    }
  }

 private:
  static constexpr double unit = 0x1p-448;

  __device__ static float as_float(double r2) {
    return __uint_as_float(
        __funnelshift_l(static_cast<std::uint32_t>(__double2loint(r2)),
                        static_cast<std::uint32_t>(__double2hiint(r2)), 3));
  }

  /// r2 = factor * b + norm2 * one for 16 x 8 pairs of the warp, four per thread: rows
  /// lane / 4 and 8 more, columns 2 (lane % 4) and one more.
  ///
  /// The norm of the row is a fifth product instead of the sum to start from, which
  /// would keep eight registers.
  __device__ static void multiply(double (&r2)[4], const double (&factor)[2],
                                  const double (&norm2)[2], double b, double one) {
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
        "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%10,%10,%10,%10};"
        : "=d"(r2[0]), "=d"(r2[1]), "=d"(r2[2]), "=d"(r2[3])
        : "d"(factor[0]), "d"(factor[1]), "d"(norm2[0]), "d"(norm2[1]), "d"(b),
          "d"(one), "d"(0.0));
#else
    for (int half = 0; half < 2; ++half) {
      double sum[2];
      asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%4,%4};"
          : "=d"(sum[0]), "=d"(sum[1])
          : "d"(norm2[half]), "d"(one), "d"(0.0));
      asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%4,%5};"
          : "=d"(r2[2 * half]), "=d"(r2[2 * half + 1])
          : "d"(factor[half]), "d"(b), "d"(sum[0]), "d"(sum[1]));
    }
#endif
  }

  double factor_[fragments][2];  ///< -2 a, one component per lane, or 1
  double norm2_[fragments][2];   ///< |a|^2 in every fourth lane, else 0
};

}  // namespace starhist::cuda
