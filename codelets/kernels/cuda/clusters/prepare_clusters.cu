#include "codelets/kernels/cuda/clusters/cluster_box.cuh"
#include "codelets/kernels/cuda/cuda_tuning.hh"
#include "codelets/kernels/cuda/kernels.hh"
#include "codelets/kernels/cuda/tensor_products.cuh"

namespace starhist::kernels::cuda {
namespace {

/// Particles of one species of a slice, and the number of their first cluster.
struct ClusteredSpan {
  PositionSpan positions;
  std::uint32_t first_cluster;
};

/// Sets the record of a box; lane 0 writes it.
__device__ void set_box(const ClusterBox& box, ClusterRecord& record) {
  if (threadIdx.x % 32U == 0) {
    record.centre = box.centre();
    for (int k = 0; k < 3; ++k) {
      record.half[k] = box.half[k];
    }
    record.radius = box.radius;
  }
}

/// Sets the extents of a cluster. Each lane of the warp has a particle's displacement p
/// from the centre [bins]; all call it together.
__device__ void set_extent(const KernelArgs& args, Vec3 p, ClusterExtent of_cluster) {
  const int lane = static_cast<int>(threadIdx.x % 32U);
  constexpr float roundings = 1e-6F;
  float of_lane = 0.0F;
  for (int k = 0; k < args.geometry.images.count; ++k) {
    auto extent = static_cast<float>(dot(p, lattice_vector(args, k)));
    for (int other = 16; other > 0; other /= 2) {
      extent = fmaxf(extent, __shfl_xor_sync(0xffffffffU, extent, other));
    }
    of_lane = lane == k ? extent + roundings * fabsf(extent) : of_lane;
  }
  static_assert(ImageSteps::most <= 32);
  if (lane < args.geometry.images.count) {
    of_cluster[lane] = of_lane;
  }
}

/// Sets particles, box and extents of a cluster. All lanes of a warp call it together.
__device__ void prepare_cluster(const KernelArgs& args, const ClusteredSpan& span,
                                std::uint32_t cluster) {
  const auto count = static_cast<std::uint32_t>(span.positions.count);
  const ClusterBox box = ClusterBox::around(
      args, span.positions, cluster * cluster_size, cluster_size, count);
  const std::uint32_t lane = threadIdx.x % 32U;
  const std::uint32_t i = min(cluster * cluster_size + lane, count - 1U);
  const Vec3 p = box.local(args, span.positions[i]);
  const std::uint32_t number = span.first_cluster + cluster;
  args.cluster_work.records.particles[number * cluster_size + lane] = {
      {args.filter.coordinate_scale * p.x, args.filter.coordinate_scale * p.y,
       args.filter.coordinate_scale * p.z, args.filter.coordinate_scale * dot(p, p)}};
  set_box(box, args.cluster_work.records.clusters[number]);
  set_extent(args, p, args.cluster_work.records.extent(number));
}

/// Sets all clusters and superclusters of a span; warps of the grid share them.
__device__ void prepare_span(const KernelArgs& args, const ClusteredSpan& span) {
  const auto count = static_cast<std::uint32_t>(span.positions.count);
  const std::uint32_t clusters = ClusterRecords::clusters_of(count);
  const std::uint32_t supers = ClusterRecords::supers_of(count);
  const std::uint32_t all_warps = gridDim.x * warps;
  for (std::uint32_t k = blockIdx.x * warps + threadIdx.x / 32U; k < clusters + supers;
       k += all_warps) {
    if (k < clusters) {
      prepare_cluster(args, span, k);
    } else {
      constexpr std::uint32_t size = superclusters * cluster_size;
      const ClusterBox box =
          ClusterBox::around(args, span.positions, (k - clusters) * size, size, count);
      set_box(box, args.cluster_work.records
                       .supers[span.first_cluster / superclusters + k - clusters]);
    }
  }
}

}  // namespace

__global__ void __launch_bounds__(threads)
    prepare_clusters(const __grid_constant__ KernelArgs args) {
  for (std::uint32_t p = blockIdx.y; p < args.slice_count; p += gridDim.y) {
    const KernelSlice& slice = args.slice[p];
    prepare_span(args, {slice.first, slice.first_cluster});
    if (!slice.like) {
      prepare_span(args, {slice.second, slice.second_cluster});
    }
  }
}

}  // namespace starhist::kernels::cuda
