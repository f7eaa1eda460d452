#pragma once

#include "codelets/kernels/cuda/filter/ambiguous_queue.cuh"
#include "codelets/kernels/cuda/kernel_args.hh"
#include "codelets/kernels/cuda/tensor_products.cuh"

namespace starhist::kernels::cuda {

/// 16 rows a of a warp as operands of multiply_add(): one product with each eight
/// columns gives squared distances. c is DistanceFilter::coordinate_scale.
struct RowFragment {
  double factor[2];  ///< -2 c a, a component per lane, or c in the fourth
  double norm2[4];   ///< c^2 |a|^2 of the rows of the product's values
};

/// The first fragment of translated rows of a pair of clusters, and its product with
/// the first columns. Computed while the last pairs of another pair of clusters are
/// binned, so that the warp does not wait for it.
struct FirstProduct {
  RowFragment rows;
  double product[4];
};

/// The rows of a warp: a cluster, as displacements a from its centre.
///
/// With D the displacement of the centres of two clusters, less a lattice vector,
///   |a + D - b|^2 = |a + D|^2 - 2 (a + D) . b + |b|^2.
/// Rows are translated by D, so that columns b can be taken as they are stored.
class RowTile {
 public:
  static constexpr int fragments = 2;
  static constexpr int steps = 4;  ///< products of 8 columns each
  static constexpr std::uint32_t look_columns = cluster_size;
  /// Row and column, within their clusters, of bit `bit` of a lane.
  static __device__ __forceinline__ Corner pair_of(std::uint32_t lane,
                                                   std::uint32_t bit) {
    return {bit / 16U * 16U + bit % 4U / 2U * 8U + lane / 4U,
            bit / 4U % 4U * 8U + lane % 4U * 2U + bit % 2U};
  }
  /// Bit of value q of the product of fragment f in a step.
  static __device__ constexpr std::uint32_t bit_of(int f, int step, int q) {
    return static_cast<std::uint32_t>(16 * f + 4 * step + q);
  }

  __device__ static std::uint32_t lane() { return threadIdx.x % 32U; }
  __device__ static std::uint32_t component() { return lane() % 4U; }

  /// Loads the 32 particles of a cluster.
  __device__ RowTile(double coordinate_scale, const ClusterParticle* particles) {
    const double* values = particles[0].value;
    constexpr std::uint32_t each = 4;  // values of a particle
#pragma unroll
    for (int f = 0; f < fragments; ++f) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const std::uint32_t row = f * 16U + half * 8U + lane() / 4U;
        const double value = values[row * each + component()];
        factor_[f][half] = component() < 3 ? -2.0 * value : coordinate_scale;
        norm2_[f][half] = coordinate_scale * values[row * each + 3];
      }
    }
  }

  /// Adds `offset` to all squared distances.
  __device__ void add_to_squares(double offset) {
#pragma unroll
    for (int f = 0; f < fragments; ++f) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        norm2_[f][half] += offset;
      }
    }
  }

  /// Sets the translation operands of the four lanes of a group, for moved(): the
  /// components of a displacement D [bins] and |D|^2 - origin^2 [squared bins], scaled.
  __device__ __forceinline__ static void set_translations(double coordinate_scale,
                                                          Vec3 d, std::uint32_t origin,
                                                          double (&translations)[4]) {
    const double from = origin;
    translations[0] = -coordinate_scale * d.x;
    translations[1] = -coordinate_scale * d.y;
    translations[2] = -coordinate_scale * d.z;
    translations[3] = coordinate_scale * (dot(d, d) - from * from);
  }
  /// Returns the translation operand of this lane. d: a component of D in each lane, 0
  /// in the last of four. The lanes of a warp call it together.
  __device__ static double translation(double coordinate_scale, double d,
                                       std::uint32_t origin) {
    double square = d * d;
    square += __shfl_xor_sync(0xffffffffU, square, 1);
    square += __shfl_xor_sync(0xffffffffU, square, 2);
    const double from = origin;
    return coordinate_scale * (component() < 3 ? -d : square - from * from);
  }

  /// The rows of fragment f translated by D. Squared distances become less by origin^2.
  __device__ __forceinline__ RowFragment moved(int f, double translation) const {
    const double twice = component() < 3 ? 2.0 : 0.0;
    // No array index, which would move the rows out of the registers.
    const double factor[2] = {f == 0 ? factor_[0][0] : factor_[1][0],
                              f == 0 ? factor_[0][1] : factor_[1][1]};
    const double norm2[2] = {f == 0 ? norm2_[0][0] : norm2_[1][0],
                             f == 0 ? norm2_[0][1] : norm2_[1][1]};
    const double norms2[4] = {norm2[0], norm2[0], norm2[1], norm2[1]};
    RowFragment rows;
    // |a|^2 + 2 a . D + |D|^2
    multiply_add(rows.norm2, factor, translation, norms2);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      rows.factor[half] = fma(twice, translation, factor[half]);
    }
    return rows;
  }

 private:
  double factor_[fragments][2];  ///< as RowFragment::factor
  double norm2_[fragments][2];   ///< as RowFragment::norm2, one of each row
};

}  // namespace starhist::kernels::cuda
