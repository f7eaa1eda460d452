#include "codelets/kernels/cuda/clusters/tile_box.cuh"
#include "codelets/kernels/cuda/kernels.hh"
#include "codelets/kernels/cuda/tensor_products.cuh"
#include "codelets/kernels/cuda/tuning.hh"

namespace starhist::kernels::cuda {
namespace {

/// Particles of a part, and their first tile.
struct TiledSpan {
  PositionSpan positions;
  std::uint32_t first_tile;
};

/// By lane 0.
__device__ void set_box(const TileBox& box, TileRecord& record) {
  if (threadIdx.x % 32U == 0) {
    record.centre = box.centre();
    for (int k = 0; k < 3; ++k) {
      record.half[k] = box.half[k];
    }
    record.radius = box.radius;
  }
}

/// Of a tile of which each lane of a warp has a particle. All call it together.
__device__ void set_reach(const KernelArgs& args, Vec3 p, TileReach of_tile) {
  const int lane = static_cast<int>(threadIdx.x % 32U);
  constexpr float roundings = 1e-6F;
  float of_lane = 0.0F;
  for (int k = 0; k < args.images.count; ++k) {
    auto reach = static_cast<float>(dot(p, lattice_vector(args, k)));
    for (int other = 16; other > 0; other /= 2) {
      reach = fmaxf(reach, __shfl_xor_sync(0xffffffffU, reach, other));
    }
    of_lane = lane == k ? reach + roundings * fabsf(reach) : of_lane;
  }
  static_assert(ImageSteps::most <= 32);
  if (lane < args.images.count) {
    of_tile[lane] = of_lane;
  }
}

/// All lanes of a warp call it together.
__device__ void prepare_tile(const KernelArgs& args, const TiledSpan& span,
                             std::uint32_t tile) {
  const auto count = static_cast<std::uint32_t>(span.positions.count);
  const TileBox box =
      TileBox::around(args, span.positions, tile * tile_size, tile_size, count);
  const std::uint32_t lane = threadIdx.x % 32U;
  const std::uint32_t i = min(tile * tile_size + lane, count - 1U);
  const Vec3 p = box.local(args, span.positions[i]);
  const std::uint32_t place = span.first_tile + tile;
  args.records.particles[place * tile_size + lane] = {
      {args.unit * p.x, args.unit * p.y, args.unit * p.z, args.unit * dot(p, p)}};
  set_box(box, args.records.tiles[place]);
  set_reach(args, p, args.records.reach(place));
}

__device__ void prepare_span(const KernelArgs& args, const TiledSpan& span) {
  const auto count = static_cast<std::uint32_t>(span.positions.count);
  const std::uint32_t tiles = TileRecords::tiles_of(count);
  const std::uint32_t supers = TileRecords::supers_of(count);
  const std::uint32_t all_warps = gridDim.x * warps;
  for (std::uint32_t k = blockIdx.x * warps + threadIdx.x / 32U; k < tiles + supers;
       k += all_warps) {
    if (k < tiles) {
      prepare_tile(args, span, k);
    } else {
      constexpr std::uint32_t size = super_tiles * tile_size;
      const TileBox box =
          TileBox::around(args, span.positions, (k - tiles) * size, size, count);
      set_box(box, args.records.supers[span.first_tile / super_tiles + k - tiles]);
    }
  }
}

}  // namespace

__global__ void __launch_bounds__(threads)
    prepare_tiles(const __grid_constant__ KernelArgs args) {
  for (std::uint32_t p = blockIdx.y; p < args.part_count; p += gridDim.y) {
    const KernelPart& part = args.part[p];
    prepare_span(args, {part.first, part.first_tile});
    if (!part.like) {
      prepare_span(args, {part.second, part.second_tile});
    }
  }
}

}  // namespace starhist::kernels::cuda
