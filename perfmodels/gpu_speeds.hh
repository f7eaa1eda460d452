#pragma once

#include <cstdint>

#include "perfmodels/work_class.hh"

namespace starhist::perfmodels {

/// Properties of a GPU that determine how fast it counts. The default is an H100 SXM.
struct GpuProperties {
  int capability = 90;                   ///< compute capability: 10 major + minor
  int multiprocessors = 132;             ///< [>= 1]
  double clock = 1.98e9;                 ///< highest clock rate [Hz, > 0]
  std::uint32_t shared_bytes = 232'448;  ///< most shared memory of a thread block [> 0]
  /// Ratio of the speeds in single and double precision [>= 1]. Used only for
  /// architectures that are not in the table.
  int single_to_double = 2;

  bool operator==(const GpuProperties&) const = default;
};

/// Kernels that count pairs on GPUs (docs/developer/gpu-kernels.md).
enum class GpuKernel {
  fixed_point,  ///< blocked, differences of 32-bit fractions
  tensor,       ///< blocked, squares by the double-precision tensor cores; open boxes
  clusters      ///< clusters of sorted particles, tensor cores
};

/// Number of evaluated pairs that a GPU with full use of all its streams counts per
/// second, with histograms of `bins` bins (>= 1).
///
/// A pure function: rates of an H100 per clock and multiprocessor, limited by the
/// double-precision tensor cores of the architecture. Histograms slow a kernel down as
/// they fill the shared memory.
double gpu_pairs_per_second(const GpuProperties& gpu, GpuKernel kernel,
                            Geometry geometry, std::uint32_t bins);

/// Predicted time of a counting task [s] with `pairs` evaluated pairs in `frames`
/// frames (>= 1) of about equal size, on a GPU that counts `tasks` such tasks (>= 1) at
/// the same time.
double gpu_task_seconds(const GpuProperties& gpu, GpuKernel kernel, Geometry geometry,
                        std::uint32_t bins, double pairs, std::uint32_t frames,
                        double tasks);

/// Approximate time in which a GPU sorts particles into spatial order [s per particle].
double gpu_seconds_to_sort_a_particle(const GpuProperties& gpu);

}  // namespace starhist::perfmodels
