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
  bool tiled = false;              ///< looks at tiles before it takes them
  bool fine = false;               ///< judges distances by KernelArgs::fine_error
  std::uint32_t window = 1;        ///< entries of the counts in a sweep
  std::uint32_t window_words = 1;  ///< of shared memory
};

// For so many entries of the counts, on a GPU whose thread blocks may have so much
// shared memory.

/// Open boxes. `doubt_start`: KernelArgs::certified_start is not 0.
Kernel tensor_kernel(std::uint32_t entries, int shared_bytes, bool doubt_start);
/// Particles in spatial order.
Kernel image_kernel(std::uint32_t entries, int shared_bytes);
/// All boxes.
Kernel lattice_kernel(std::uint32_t entries, int shared_bytes, Metric metric,
                      bool few_rows);

/// The defining function for every pair, straight to the counts in device memory.
__global__ void count_pairs_by_definition(const __grid_constant__ KernelArgs args);

}  // namespace starhist::cuda
