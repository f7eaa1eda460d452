#pragma once

#include <cuda_runtime.h>

#include "codelets/kernels/cuda/cuda_tuning.hh"
#include "codelets/kernels/cuda/kernel_args.hh"

namespace starhist::kernels::cuda {

/// The edge test of a kernel.
enum class Certificate {
  relative,  ///< RelativeCertificate: errors proportional to the distance
  local,     ///< LocalCertificate: distances from an origin near them
  edge       ///< EdgeCertificate: squared distances in whole steps
};

/// An instance of a blocked kernel or of a cluster kernel, and how to launch it.
struct Kernel {
  void (*function)(KernelArgs) = nullptr;  ///< null: the defining function has to count
  int block_threads = threads;
  int overhead_bytes = 0;        ///< shared memory in addition to the histogram
  std::uint32_t panel_rows = 1;  ///< most rows that a thread block takes at a time
  std::uint32_t row_unit = 1;    ///< the rows of a panel are a multiple of it
  std::uint32_t tile_columns = 1;
  bool turns = false;      ///< like pairs within a panel are counted in turns
  bool clustered = false;  ///< needs ClusterWork::records
  Certificate certificate = Certificate::relative;
  std::uint32_t window = 1;        ///< entries of the counts in a sweep
  std::uint32_t stride = 1;        ///< entries from one sweep to the next [<= window]
  std::uint32_t window_words = 1;  ///< shared memory of the histogram, in 32-bit words
  double spread = 0.0;  ///< usual range of distances between two clusters [bins]
  /// Launched first, for all bins in one sweep, unless null: counts optimistically.
  void (*optimistic_function)(KernelArgs) = nullptr;
  int optimistic_bytes = 0;  ///< shared memory of optimistic_function
};

// Each function returns the kernel for `entries` entries of the counts (bins.count +
// 1), on a GPU whose thread blocks may have `shared_bytes` of shared memory.

/// Blocked kernel for open boxes. `ambiguity_start`: DistanceFilter::certified_start is
/// not 0.
Kernel tensor_kernel(std::uint32_t entries, int shared_bytes, bool ambiguity_start);
/// Cluster kernel for particles in spatial order, all boxes. `spread`: range of most
/// distances between two clusters [bins]; `open`: no two clusters have several images.
Kernel cluster_kernel(std::uint32_t entries, int shared_bytes, double spread,
                      bool open);
/// Blocked kernel for all boxes. `reach`: in an orthogonal lattice, bins up to the
/// farthest pair [>= entries]; if they fit, all have counters, and no pair has to be
/// tested for being out of range. `rows`: mean number of rows of a block, which
/// determines how many of them a thread holds.
Kernel lattice_kernel(std::uint32_t entries, std::uint32_t reach, int shared_bytes,
                      Metric metric, std::uint64_t rows);
/// Blocked kernel for lattices with an OrthogonalSublattice, with counters for all
/// pairs; its function is null if they do not fit. Arguments as for lattice_kernel().
Kernel centred_kernel(std::uint32_t reach, int shared_bytes, std::uint64_t rows);

/// Runs after optimistic_function. If all `pairs` of the launch are counted, adds the
/// counts to CountOutput::counts and leaves no work items to the following kernel;
/// otherwise leaves all and raises OptimisticRecord::level.
__global__ void commit_optimistic_counts(const __grid_constant__ KernelArgs args,
                                         unsigned long long pairs);

/// Sets the particles, clusters, superclusters and extents of ClusterWork::records.
__global__ void prepare_clusters(const __grid_constant__ KernelArgs args);

/// Counts every pair by the defining function, with additions to CountOutput::counts.
__global__ void count_pairs_by_definition(const __grid_constant__ KernelArgs args);

}  // namespace starhist::kernels::cuda
