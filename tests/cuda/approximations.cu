#include <algorithm>
#include <vector>

#include "codelets/kernels/cuda/filter/approximations.cuh"
#include "codelets/kernels/cuda/launch/device_array.hh"
#include "tests/cuda/approximations.hh"

namespace starhist::testing {
namespace {

constexpr unsigned block_threads = 256;
constexpr unsigned blocks = 1024;

__device__ void widen(kernels::cuda::ErrorBounds& bounds, double exact,
                      float approximation) {
  constexpr double infinite = 1e300;  // includes NaN
  const double ratio = exact / static_cast<double>(approximation);
  const double error = ratio == ratio ? 0x1p24 * (ratio - 1.0) : infinite;
  bounds.less = fmax(bounds.less, -error);
  bounds.more = fmax(bounds.more, error);
}

/// Tries floats by their bits; each thread keeps the largest errors.
__global__ void try_floats(unsigned begin, unsigned end,
                           kernels::cuda::ApproximationErrors* errors) {
  const unsigned thread = blockIdx.x * block_threads + threadIdx.x;
  kernels::cuda::ApproximationErrors seen{};
  for (unsigned bits = begin + thread; bits < end; bits += blocks * block_threads) {
    const float x = __uint_as_float(bits);
    const auto exact = static_cast<double>(x);
    widen(seen.root, sqrt(exact), kernels::cuda::fast_root(x));
    widen(seen.inverse, 1.0 / exact, kernels::cuda::fast_inverse(x));
    widen(seen.product, sqrt(exact), x * kernels::cuda::fast_inverse_root(x));
  }
  errors[thread] = seen;
}

void widen(kernels::cuda::ErrorBounds& bounds,
           const kernels::cuda::ErrorBounds& other) {
  bounds.less = std::max(bounds.less, other.less);
  bounds.more = std::max(bounds.more, other.more);
}

unsigned bits_of_power(int exponent) {
  constexpr int bias = 127;
  constexpr int fraction_bits = 23;
  return static_cast<unsigned>(bias + exponent) << fraction_bits;
}

}  // namespace

kernels::cuda::ApproximationErrors largest_errors(int from, int to) {
  std::vector<kernels::cuda::ApproximationErrors> seen(std::size_t{blocks} *
                                                       block_threads);
  const kernels::cuda::DeviceArray<kernels::cuda::ApproximationErrors> memory(
      seen.data(), seen.size());
  try_floats<<<blocks, block_threads>>>(bits_of_power(from), bits_of_power(to),
                                        memory.get());
  kernels::cuda::check(cudaGetLastError(), "try floats");
  memory.copy_to(seen.data());
  kernels::cuda::ApproximationErrors largest{};
  for (const kernels::cuda::ApproximationErrors& each : seen) {
    widen(largest.root, each.root);
    widen(largest.inverse, each.inverse);
    widen(largest.product, each.product);
  }
  return largest;
}

}  // namespace starhist::testing
