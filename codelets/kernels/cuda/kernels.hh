#pragma once

#include <cuda_runtime.h>

#include "codelets/kernels/cuda/kernel_args.hh"

namespace starhist::cuda {

/// An instance of the tile loop.
struct Kernel {
  void (*function)(KernelArgs) = nullptr;
  int overhead_bytes = 0;        ///< of shared memory, besides the histogram
  std::uint32_t panel_rows = 1;  ///< rows that a thread block takes at a time
  std::uint32_t tile_columns = 1;
};

Kernel tensor_kernel(bool windowed, bool doubt_start, bool tiled);
Kernel lattice_kernel(Metric metric, bool windowed, bool few_rows, bool tiled);

/// The defining function for every pair, straight to the counts in device memory.
__global__ void count_pairs_by_definition(const __grid_constant__ KernelArgs args);

}  // namespace starhist::cuda
