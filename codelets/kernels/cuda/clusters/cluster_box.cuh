#pragma once

#include "codelets/core/geometry/minimum_image.hh"
#include "codelets/kernels/cuda/kernel_args.hh"

namespace starhist::kernels::cuda {

/// Vector k of ImageSteps [bins].
__device__ inline Vec3 lattice_vector(const KernelArgs& args, int k) {
  Vec3 v;
  for (int axis = 0; axis < 3; ++axis) {
    const double along = args.geometry.images.steps[k][axis] * args.bins.inverse_width;
    v = v + along * args.geometry.image.edge[axis];
  }
  return v;
}

/// The box, along the Cartesian axes, around some particles: each at the image with the
/// nearest-integer displacement from the first one.
struct ClusterBox {
  Vec3 first;     ///< position of the first particle
  Vec3 offset;    ///< displacement of the centre from it [unit of positions]
  float half[3];  ///< half the edges [bins]
  float radius;   ///< length of `half` [bins]

  __device__ Vec3 centre() const { return first + offset; }

  /// Displacement of p, a particle of the box, from the centre [bins].
  __device__ Vec3 local(const KernelArgs& args, Vec3 p) const {
    return args.bins.inverse_width *
           (nearest_integer_displacement(args.geometry.image, p, first) - offset);
  }

  /// The box around particles [begin, begin + count) of the span, cut off at `end`;
  /// there is at least one. All lanes of a warp call it together and get the same box.
  static __device__ ClusterBox around(const KernelArgs& args, const PositionSpan& span,
                                      std::uint32_t begin, std::uint32_t count,
                                      std::uint32_t end) {
    const Vec3 first = span[min(begin, end - 1U)];
    const std::uint32_t last = min(begin + count, end);
    float low[3] = {0.0F, 0.0F, 0.0F};
    float high[3] = {0.0F, 0.0F, 0.0F};
    for (std::uint32_t i = begin + threadIdx.x % 32U; i < last; i += 32U) {
      const Vec3 d = args.bins.inverse_width *
                     nearest_integer_displacement(args.geometry.image, span[i], first);
      widen(low[0], high[0], d.x);
      widen(low[1], high[1], d.y);
      widen(low[2], high[2], d.z);
    }
    ClusterBox box;
    for (int k = 0; k < 3; ++k) {
      for (int lane = 16; lane > 0; lane /= 2) {
        low[k] = fminf(low[k], __shfl_xor_sync(0xffffffffU, low[k], lane));
        high[k] = fmaxf(high[k], __shfl_xor_sync(0xffffffffU, high[k], lane));
      }
      // A generous bound, because displacements are rounded to float.
      constexpr float roundings = 1e-5F;
      box.half[k] = 0.5F * (high[k] - low[k]) + roundings * fmaxf(high[k], -low[k]);
    }
    box.first = first;
    box.offset = 0.5 / args.bins.inverse_width *
                 (Vec3{low[0], low[1], low[2]} + Vec3{high[0], high[1], high[2]});
    box.radius =
        (1.0F + 1e-5F) * sqrtf(box.half[0] * box.half[0] + box.half[1] * box.half[1] +
                               box.half[2] * box.half[2]);
    return box;
  }

 private:
  static __device__ void widen(float& low, float& high, double value) {
    low = fminf(low, static_cast<float>(value));
    high = fmaxf(high, static_cast<float>(value));
  }
};

}  // namespace starhist::kernels::cuda
