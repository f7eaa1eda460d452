#pragma once

#include <span>

#include <cuda_runtime.h>

#include "codelets/kernels/clusters/spatial_grid.hh"
#include "codelets/kernels/cuda/scratch.hh"

namespace starhist::kernels::cuda {

/// Particles of one frame.
struct SortBlock {
  SpatialGrid grid;
  std::size_t offset = 0;  ///< number of the first particle in the array of positions
  std::size_t count = 0;
};

/// Bytes of scratch memory to sort `particles` particles.
std::size_t sort_scratch_bytes(std::size_t particles);

/// Copies positions in device memory, x, y, z of each particle, to `sorted`, each block
/// in the order of spatial_order(). Blocks are consecutive without gaps and have fewer
/// than 2^32 particles in all. Queues the work on `stream` and returns the error of the
/// launches. Without enough scratch memory the particles keep their order.
cudaError_t copy_in_spatial_order(std::span<const SortBlock> blocks,
                                  const double* positions, double* sorted,
                                  const Scratch& scratch, cudaStream_t stream);

}  // namespace starhist::kernels::cuda
