#include "codelets/kernels/cuda/kernels.hh"
#include "codelets/kernels/cuda/tensor_products.cuh"
#include "codelets/kernels/cuda/tile_box.cuh"
#include "codelets/kernels/cuda/tuning.hh"

namespace starhist::cuda {
namespace {

/// Particles of a part, and their first tile.
struct TiledSpan {
  PositionSpan positions;
  std::uint32_t first_tile;
};

__device__ TileRecord record_of(const TileBox& box) {
  return {box.centre(), {box.half[0], box.half[1], box.half[2]}, box.radius};
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
      {tensor_unit * p.x, tensor_unit * p.y, tensor_unit * p.z,
       tensor_unit * dot(p, p)}};
  if (lane == 0) {
    args.records.tiles[place] = record_of(box);
  }
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
      if (threadIdx.x % 32U == 0) {
        args.records.supers[span.first_tile / super_tiles + k - tiles] = record_of(box);
      }
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

}  // namespace starhist::cuda
