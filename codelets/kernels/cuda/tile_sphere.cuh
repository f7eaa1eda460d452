#pragma once

#include "codelets/core/minimum_image.hh"
#include "codelets/kernels/cuda/kernel_args.hh"

namespace starhist::cuda {

/// A sphere around images of some particles. By the triangle inequality the
/// minimum-image distance of two particles is that of the centres of their spheres,
/// give or take the two radii, in any lattice.
struct TileSphere {
  Vec3 centre;
  double radius;

  /// Around span[begin], span[begin + 1], ... , `count` of them but none from `end` on
  /// (at least one). All lanes of a warp call it together; it is the same in all.
  static __device__ TileSphere around(const MinimumImage& image,
                                      const PositionSpan& span, std::uint32_t begin,
                                      std::uint32_t count, std::uint32_t end) {
    const Vec3 first = span[min(begin, end - 1U)];
    const std::uint32_t last = min(begin + count, end);
    float low[3] = {0.0F, 0.0F, 0.0F};
    float high[3] = {0.0F, 0.0F, 0.0F};
    for (std::uint32_t i = begin + threadIdx.x % 32U; i < last; i += 32U) {
      const Vec3 d = rounded_displacement(image, span[i], first);
      widen(low[0], high[0], d.x);
      widen(low[1], high[1], d.y);
      widen(low[2], high[2], d.z);
    }
    for (int lane = 16; lane > 0; lane /= 2) {
      for (int k = 0; k < 3; ++k) {
        low[k] = fminf(low[k], __shfl_xor_sync(0xffffffffU, low[k], lane));
        high[k] = fmaxf(high[k], __shfl_xor_sync(0xffffffffU, high[k], lane));
      }
    }
    // The sphere around the box of all.
    const Vec3 low_corner{low[0], low[1], low[2]};
    const Vec3 high_corner{high[0], high[1], high[2]};
    const Vec3 diagonal = high_corner - low_corner;
    return {first + 0.5 * (low_corner + high_corner),
            (1.0 + 1e-5) * 0.5 * sqrt(dot(diagonal, diagonal))};
  }

 private:
  /// Of a to b: not always the shortest, but the same lattice vector everywhere.
  static __device__ Vec3 rounded_displacement(const MinimumImage& image, Vec3 a,
                                              Vec3 b) {
    const Vec3 direct = a - b;
    Vec3 d = direct;
    for (int i = 0; i < 3; ++i) {
      d = shifted(d, nearest_integer(dot(direct, image.dual[i])), image.edge[i]);
    }
    return d;
  }
  static __device__ void widen(float& low, float& high, double value) {
    low = fminf(low, static_cast<float>(value));
    high = fmaxf(high, static_cast<float>(value));
  }
};

/// What two spheres say of the distances of all pairs.
struct TileView {
  bool near = false;    ///< some may be in the window of bins
  bool beyond = false;  ///< all are out of range
};

__device__ inline TileView view_of(const KernelArgs& args, const TileSphere& a,
                                   const TileSphere& b) {
  const double middle = sqrt(minimum_distance2(args.image, a.centre, b.centre));
  const double spread = a.radius + b.radius;
  const double low = (middle - spread) * args.bins.inverse_width - args.tile_margin;
  const double high = (middle + spread) * args.bins.inverse_width + args.tile_margin;
  const bool beyond = low >= args.bins.count;
  return {!beyond && low < args.window_end && high >= args.window_begin, beyond};
}

}  // namespace starhist::cuda
