#pragma once

#include <cuda_runtime.h>

#include "codelets/kernels/cuda/kernel_args.hh"
#include "codelets/kernels/cuda/tuning.hh"

namespace starhist::kernels::cuda {

/// How certain places are told: certificate.cuh.
enum class Certificate { relative, local, edge };

/// An instance of the cluster loop or of the kernel for clusters.
struct Kernel {
  void (*function)(KernelArgs) = nullptr;
  int block_threads = threads;
  int overhead_bytes = 0;        ///< of shared memory, besides the histogram
  std::uint32_t panel_rows = 1;  ///< rows that a thread block takes at a time
  std::uint32_t tile_columns = 1;
  bool clustered = false;  ///< needs ClusterWork::records
  Certificate certificate = Certificate::relative;
  std::uint32_t window = 1;        ///< entries of the counts in a sweep
  std::uint32_t stride = 1;        ///< entries from one sweep to the next
  std::uint32_t window_words = 1;  ///< of shared memory
  double spread = 0.0;  ///< bins over which the distances of two clusters are spread
  /// Tried first, if any, in one sweep: counts optimistically.
  void (*optimistic_function)(KernelArgs) = nullptr;
  int optimistic_bytes = 0;  ///< of shared memory, for that
};

// For so many entries of the counts, on a GPU whose thread blocks may have so much
// shared memory.

/// Open boxes. `ambiguity_start`: DistanceFilter::certified_start is not 0.
Kernel tensor_kernel(std::uint32_t entries, int shared_bytes, bool ambiguity_start);
/// Particles in spatial order. `spread`: bins over which the distances between two
/// clusters are spread, mostly; `open`: no two clusters have several images.
Kernel cluster_kernel(std::uint32_t entries, int shared_bytes, double spread,
                      bool open);
/// All boxes.
Kernel lattice_kernel(std::uint32_t entries, int shared_bytes, Metric metric,
                      bool few_rows);

/// After optimistic_function: adds its counts to CountOutput::counts if all `pairs` of
/// the launch are there, and leaves no units of work then.
__global__ void commit_optimistic_counts(const __grid_constant__ KernelArgs args,
                                         unsigned long long pairs);

/// Fills ClusterWork::records.
__global__ void prepare_clusters(const __grid_constant__ KernelArgs args);

/// The defining function for every pair, straight to the counts in device memory.
__global__ void count_pairs_by_definition(const __grid_constant__ KernelArgs args);

}  // namespace starhist::kernels::cuda
