#include "perfmodels/gpu_speeds.hh"

#include <algorithm>
#include <array>
#include <cmath>

namespace starhist::perfmodels {
namespace {

/// Fused multiply-adds of the double-precision tensor cores per clock and
/// multiprocessor, by compute capability. GPUs without such cores execute the
/// instructions in their few double-precision units. All other units on which the
/// kernels depend have the same width in these architectures: 128 instructions, 32
/// words of shared memory and 16 special functions per clock.
struct Architecture {
  int capability;
  double double_products;
};
constexpr std::array architectures{
    Architecture{75, 2},    // T4, RTX 20
    Architecture{80, 64},   // A100
    Architecture{86, 2},    // A40, RTX 30
    Architecture{87, 2},    // Orin
    Architecture{89, 2},    // L40, RTX 40
    Architecture{90, 128},  // H100, H200, GH200
    Architecture{100, 64},  // B200, GB200
    Architecture{103, 2},   // B300, GB300
    Architecture{120, 2},   // RTX 50, RTX PRO 6000
    Architecture{121, 2},   // GB10
};

double double_products(const GpuProperties& gpu) {
  for (const Architecture& architecture : architectures) {
    if (architecture.capability == gpu.capability) {
      return architecture.double_products;
    }
  }
  constexpr int with_tensor_cores = 4;
  return gpu.single_to_double <= with_tensor_cores ? 64.0 : 2.0;
}

/// Pairs per clock and multiprocessor of an H100, by the number of bins: in 1000,
/// 10 000 and 50 000 bins, which have 32-bit counters, and in 200 000, which have 8-bit
/// counters. Fitted to the models in perfmodels/sampling; the last column has the
/// ratios of docs/benchmarks/kernels-gpu.md. The fixed-point kernel in open
/// and orthorhombic boxes has since become 1.12 to 1.2 times as fast, and the rates of
/// Geometry::triclinic_centred are new, both measured on an H200.
using Rates = std::array<double, 4>;
constexpr std::array<double, 3> rated_bins{1e3, 1e4, 5e4};
constexpr double most_narrow_bins = 200'000.0;

Rates rates_of(GpuKernel kernel, Geometry geometry) {
  switch (kernel) {
    case GpuKernel::tensor:
      return {8.71, 7.90, 5.89, 2.93};
    case GpuKernel::fixed_point:
      switch (geometry) {
        case Geometry::open:
          return {5.00, 4.60, 3.60, 1.25};
        case Geometry::orthorhombic:
          return {5.00, 4.60, 3.90, 1.30};
        case Geometry::triclinic:
          return {3.97, 3.65, 2.84, 0.64};
        case Geometry::triclinic_far:
          return {1.69, 1.49, 1.05, 0.24};
        case Geometry::triclinic_centred:
          return {4.00, 3.60, 2.40, 0.24};
      }
      break;
    case GpuKernel::clusters:
      switch (geometry) {
        case Geometry::open:
          return {11.5, 9.7, 8.2, 7.8};
        case Geometry::orthorhombic:
          return {14.2, 11.7, 10.0, 9.4};
        case Geometry::triclinic:
          return {14.4, 11.9, 10.1, 10.2};
        case Geometry::triclinic_far:
        case Geometry::triclinic_centred:
          return {12.2, 10.4, 8.8, 8.5};
      }
      break;
  }
  return {};
}

/// Products that the tensor cores compute per pair.
double products_of_a_pair(GpuKernel kernel) {
  switch (kernel) {
    case GpuKernel::tensor:
      return 8.0;
    case GpuKernel::clusters:
      return 4.0;
    case GpuKernel::fixed_point:
      break;
  }
  return 0.0;
}

/// The rate for a number of bins, interpolated over its logarithm; less beyond the
/// counters of one sweep.
double rate_with_bins(const Rates& rates, double bins) {
  if (bins > rated_bins.back()) {
    return rates.back() / std::ceil(std::max(bins / most_narrow_bins, 1.0));
  }
  std::size_t k = 1;
  while (bins > rated_bins[k]) {
    ++k;
  }
  const double weight = std::clamp(
      std::log(bins / rated_bins[k - 1]) / std::log(rated_bins[k] / rated_bins[k - 1]),
      0.0, 1.0);
  return rates[k - 1] + weight * (rates[k] - rates[k - 1]);
}

/// Time in which a task starts and ends [s], and the least time of a task [s].
struct Overhead {
  double start;
  double least;
};
Overhead overhead_of(GpuKernel kernel) {
  return kernel == GpuKernel::clusters ? Overhead{40e-6, 120e-6}
                                       : Overhead{25e-6, 30e-6};
}

/// Rate of clusters in a frame with `pairs` evaluated pairs relative to a small frame:
/// a million particles (4e11) reach 0.82 of the rate of 4e9 pairs on an H100.
double rate_of_large_frames(double pairs) {
  constexpr double small = 4e9;
  constexpr double large = 4e11;
  constexpr double least = 0.82;
  const double weight =
      std::clamp(std::log(pairs / small) / std::log(large / small), 0.0, 1.0);
  return 1.0 - (1.0 - least) * weight;
}

double clocks_per_second(const GpuProperties& gpu) {
  return gpu.clock * gpu.multiprocessors;
}

}  // namespace

double gpu_pairs_per_second(const GpuProperties& gpu, GpuKernel kernel,
                            Geometry geometry, std::uint32_t bins) {
  // A histogram that fills the same part of the shared memory of an H100.
  const double similar_bins =
      static_cast<double>(bins) * (static_cast<double>(GpuProperties{}.shared_bytes) /
                                   static_cast<double>(gpu.shared_bytes));
  double rate = rate_with_bins(rates_of(kernel, geometry), similar_bins);
  if (const double products = products_of_a_pair(kernel); products > 0.0) {
    rate = std::min(rate, double_products(gpu) / products);
  }
  return clocks_per_second(gpu) * rate;
}

double gpu_task_seconds(const GpuProperties& gpu, GpuKernel kernel, Geometry geometry,
                        std::uint32_t bins, double pairs, std::uint32_t frames,
                        double tasks) {
  // Incomplete tiles at the edges of each frame in the blocked kernels; multiprocessors
  // without a work item at the end of a task with clusters. Both grow like the square
  // root of the pairs of a frame.
  constexpr double pairs_of_an_edge = 1000.0;
  constexpr double pairs_of_an_end = 13'000.0;
  const bool clusters = kernel == GpuKernel::clusters;
  const double frame = pairs / frames;
  const double idle =
      std::sqrt(frame) * (clusters ? pairs_of_an_end : pairs_of_an_edge * frames);
  const double rate = gpu_pairs_per_second(gpu, kernel, geometry, bins) *
                      (clusters ? rate_of_large_frames(frame) : 1.0);
  const Overhead overhead = overhead_of(kernel);
  return std::max(overhead.least, overhead.start + tasks * (pairs + idle) / rate);
}

double gpu_seconds_to_sort_a_particle(const GpuProperties& gpu) {
  constexpr double of_an_h100 = 1e-9;
  return of_an_h100 * clocks_per_second(GpuProperties{}) / clocks_per_second(gpu);
}

}  // namespace starhist::perfmodels
