#pragma once

#include "codelets/kernels/cuda/bits.cuh"
#include "codelets/kernels/cuda/clusters/cluster_box.cuh"
#include "codelets/kernels/cuda/filter/approximations.cuh"
#include "codelets/kernels/cuda/kernel_args.hh"
#include "codelets/kernels/cuda/tensor_products.cuh"

namespace starhist::kernels::cuda {

/// The lattice vectors of ImageSteps in shared memory.
struct alignas(16) LatticeVectors {
  float4 rounded[ImageSteps::most];    ///< x, y, z and ImageSteps::needed_from [bins]
  double vector[ImageSteps::most][4];  ///< x, y, z [bins] and 0

  /// Sets the vectors. All threads of a block call it together.
  __device__ void prepare(const KernelArgs& args) {
    const std::uint32_t k = threadIdx.x;
    if (k >= ImageSteps::most) {
      return;
    }
    const Vec3 v = lattice_vector(args, static_cast<int>(k));
    vector[k][0] = v.x;
    vector[k][1] = v.y;
    vector[k][2] = v.z;
    vector[k][3] = 0.0;
    rounded[k] = {static_cast<float>(v.x), static_cast<float>(v.y),
                  static_cast<float>(v.z), args.geometry.images.needed_from[k]};
  }

  /// The shortest displacement of b to a [bins]. It is computed in double precision,
  /// but chosen in single precision: another image may be shorter by less than 1e-6 of
  /// its length, which ClusterView::margin() allows for.
  __device__ Vec3 shortest_displacement(const KernelArgs& args, Vec3 a, Vec3 b) const {
    const Vec3 d = args.bins.inverse_width *
                   nearest_integer_displacement(args.geometry.image, a, b);
    if (args.geometry.image.facet_count == 0) {
      return d;
    }
    const float x = static_cast<float>(d.x);
    const float y = static_cast<float>(d.y);
    const float z = static_cast<float>(d.z);
    int best = 0;  // the zero vector
    float most = 0.0F;
    for (int k = 1; k < args.geometry.images.sums_begin; k += 2) {
      const float4 v = rounded[k];
      const float along = fmaf(x, v.x, fmaf(y, v.y, z * v.z));
      // Reduction of half the squared length.
      const float less =
          fabsf(along) - 0.5F * fmaf(v.x, v.x, fmaf(v.y, v.y, v.z * v.z));
      best = less > most ? (along > 0.0F ? k : k + 1) : best;
      most = fmaxf(most, less);
    }
    const double* const v = vector[best];
    return d - Vec3{v[0], v[1], v[2]};
  }
};

/// Bounds of the distances between two groups of particles (clusters or superclusters),
/// from the boxes around them [bins].
struct ClusterView {
  /// Value of `images` if more images than are listed may be needed.
  static constexpr std::uint32_t unresolved = 1U << ImageSteps::most;

  Vec3 displacement;   ///< of the centres, the shortest one up to rounding [bins]
  float least = 0.0F;  ///< lower bound of all distances [bins]
  float most = 0.0F;   ///< upper bound of all distances [bins]
  /// A bit for each vector of ImageSteps that pairs in range need; 0: all pairs are out
  /// of range; or unresolved. Set by find_images().
  std::uint32_t images = 0;

  /// The view without images. The bounds follow from the triangle inequality, which
  /// holds for minimum images in any lattice.
  __device__ static ClusterView of_spheres(const KernelArgs& args,
                                           const LatticeVectors& lattice,
                                           const ClusterRecord& a,
                                           const ClusterRecord& b) {
    ClusterView view;
    view.displacement = lattice.shortest_displacement(args, a.centre, b.centre);
    const float length = fast_root(norm2(static_cast<float>(view.displacement.x),
                                         static_cast<float>(view.displacement.y),
                                         static_cast<float>(view.displacement.z)));
    const float spread = a.radius + b.radius + margin(args, length);
    view.least = fmaxf(length - spread, 0.0F);
    view.most = length + spread;
    return view;
  }

  /// Sets `images` for two clusters and tightens `least` and `most`. `single`: only the
  /// zero vector can be needed.
  __device__ void find_images(const KernelArgs& args, const LatticeVectors& lattice,
                              const ClusterRecord& a, const ClusterRecord& b,
                              ClusterExtent extent_a, ClusterExtent extent_b,
                              bool single) {
    const float3 d{static_cast<float>(displacement.x),
                   static_cast<float>(displacement.y),
                   static_cast<float>(displacement.z)};
    const float more = margin(args, fast_root(norm2(d.x, d.y, d.z)));
    const float spread = a.radius + b.radius + more;
    if (spread >= args.geometry.images.most_spread) {
      images = unresolved;
      return;
    }
    const float3 half{a.half[0] + b.half[0] + more, a.half[1] + b.half[1] + more,
                      a.half[2] + b.half[2] + more};
    std::uint32_t closer = single ? 1U : closer_images(args, lattice, d, half, spread);
    constexpr float far = 1e18F;
    const float count = static_cast<float>(args.bins.count);
    const float farthest2 = (count + more) * (count + more);
    float least2 = far;
    float most2 = far;
    for (; closer != 0; closer &= closer - 1U) {
      const auto k = static_cast<int>(lowest_bit(closer));
      const float4 v = lattice.rounded[k];
      // The extent of the particles along v is usually less than the extent of their
      // boxes. It must be loaded, so it is only tested here, and not along a Cartesian
      // axis, where both are equal.
      if (k != 0 && !is_along_axis(v) &&
          !may_be_closer(
              d, v,
              extent_a[k] + extent_b[ImageSteps::opposite(k)] + more * norm1(v))) {
        continue;
      }
      const float3 middle{fabsf(d.x - v.x), fabsf(d.y - v.y), fabsf(d.z - v.z)};
      const float gap2 =
          norm2(fmaxf(middle.x - half.x, 0.0F), fmaxf(middle.y - half.y, 0.0F),
                fmaxf(middle.z - half.z, 0.0F));
      least2 = fminf(least2, gap2);
      most2 =
          fminf(most2, norm2(middle.x + half.x, middle.y + half.y, middle.z + half.z));
      images |= static_cast<std::uint32_t>(gap2 <= farthest2) << k;  // in range
    }
    constexpr float roundings = 1e-6F;
    least = fmaxf(least, (1.0F - roundings) * fast_root(least2));
    most = fminf(most, (1.0F + roundings) * fast_root(most2));
  }

  /// A bit for each lattice vector that may shorten the displacement of a pair, for
  /// displacements in the box d +- half [bins] of two groups with the given spread
  /// [bins].
  __device__ static std::uint32_t closer_images(const KernelArgs& args,
                                                const LatticeVectors& lattice, float3 d,
                                                float3 half, float spread) {
    std::uint32_t closer = 1U;
    const auto ask = [&](int k) {  // vector k and its opposite
      const float4 v = lattice.rounded[k];
      const float along = fmaf(d.x, v.x, fmaf(d.y, v.y, d.z * v.z));
      const float extent =
          fmaf(half.x, fabsf(v.x), fmaf(half.y, fabsf(v.y), half.z * fabsf(v.z)));
      const float needed = half_square(v) - extent;
      closer |= (static_cast<std::uint32_t>(needed <= along) |
                 static_cast<std::uint32_t>(needed <= -along) << 1)
                << k;
    };
    for (int k = 1; k < args.geometry.images.count; k += 2) {
      const float from =
          k == args.geometry.images.sums_begin && !are_several(closer - 1U)
              ? args.geometry.images.only_sums_below
              : lattice.rounded[k].w;
      if (from > spread) {
        break;
      }
      ask(k);
    }
    return closer;
  }

  /// True if any two clusters of two superclusters need only the lattice vector that
  /// leads to the shortest displacement of the clusters' centres.
  __device__ bool is_single(const KernelArgs& args, const LatticeVectors& lattice,
                            const ClusterRecord& a, const ClusterRecord& b) const {
    const float3 d{static_cast<float>(displacement.x),
                   static_cast<float>(displacement.y),
                   static_cast<float>(displacement.z)};
    const float more = margin(args, fast_root(norm2(d.x, d.y, d.z)));
    const float spread = a.radius + b.radius + more;
    if (spread >= args.geometry.images.most_spread || !is_compact(args, a, more) ||
        !is_compact(args, b, more)) {
      return false;
    }
    const float3 half{a.half[0] + b.half[0] + more, a.half[1] + b.half[1] + more,
                      a.half[2] + b.half[2] + more};
    // The boxes of the clusters and their centres lie in the boxes of the
    // superclusters.
    return closer_images(args, lattice, d, half, spread) == 1U;
  }

 private:
  /// True if rounding finds, for any two particles of a group, their displacement
  /// within its box. Clusters then place their particles like their supercluster.
  __device__ static bool is_compact(const KernelArgs& args, const ClusterRecord& group,
                                    float more) {
    constexpr double least_of_other_image = 0.5 * (1.0 - 1e-5);
    const double bins = 2.0 / args.bins.inverse_width;
    const Vec3 edges{bins * (group.half[0] + more), bins * (group.half[1] + more),
                     bins * (group.half[2] + more)};
    bool compact = true;
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 dual = args.geometry.image.dual[axis];
      compact = compact && fabs(dual.x) * edges.x + fabs(dual.y) * edges.y +
                                   fabs(dual.z) * edges.z <
                               least_of_other_image;
    }
    return compact;
  }
  /// Error bound of a distance `length` between two groups, with rounding to float
  /// [bins].
  __device__ static float margin(const KernelArgs& args, float length) {
    return static_cast<float>(args.geometry.cluster_margin) + 1e-6F * length;
  }
  /// True if |D - v| < |D| is possible for a D with (D - d) . v <= extent.
  __device__ static bool may_be_closer(float3 d, float4 v, float extent) {
    const float along = d.x * v.x + d.y * v.y + d.z * v.z;
    return half_square(v) <= along + extent;
  }
  /// |v|^2 / 2 minus a bound of the rounding errors of the compared value.
  __device__ static float half_square(float4 v) {
    constexpr float roundings = 1e-5F;
    return 0.5F * (1.0F - roundings) * fmaf(v.x, v.x, fmaf(v.y, v.y, v.z * v.z));
  }
  __device__ static bool is_along_axis(float4 v) {
    return fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fabsf(v.z)) == norm1(v);
  }
  __device__ static float norm1(float4 v) {
    return fabsf(v.x) + fabsf(v.y) + fabsf(v.z);
  }
  __device__ static float norm2(float x, float y, float z) {
    return x * x + y * y + z * z;
  }
};

}  // namespace starhist::kernels::cuda
