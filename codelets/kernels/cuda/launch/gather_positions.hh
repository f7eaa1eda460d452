#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

#include "codelets/core/base/vec3.hh"

namespace starhist::kernels::cuda {

/// Positions of float or double in device memory: component c of particle i is at data
/// + i * particle_stride + c * component_stride [bytes], aligned like such a number.
struct StridedPositions {
  const char* data = nullptr;
  bool single = false;  ///< float
  std::ptrdiff_t particle_stride = 0;
  std::ptrdiff_t component_stride = 0;
};

/// Properties of the coordinates that gather_positions() read, in device memory. All
/// bits are set initially.
struct GatheredSummary {
  /// Smallest coordinates, then the largest ones with all bits inverted, as integers in
  /// the order of the numbers (unordered()). Only finite numbers are included.
  unsigned long long low[3];
  unsigned long long inverted_high[3];
  unsigned long long finite;  ///< 0: not all coordinates are finite; or all bits

  /// The smallest and largest finite coordinates, if any.
  Vec3 least() const {
    return {unordered(low[0]), unordered(low[1]), unordered(low[2])};
  }
  Vec3 most() const {
    return {unordered(~inverted_high[0]), unordered(~inverted_high[1]),
            unordered(~inverted_high[2])};
  }
  bool any() const { return low[0] != ~0ULL; }

 private:
  static double unordered(unsigned long long key);
};

/// Copies particles order[0 .. count) to to[0 .. 3 count), x, y, z of each, and adds
/// them to `summary`. `order` null: particles first, first + 1, ... Floats become
/// doubles, which is exact. Queues the work on `stream` and returns the error of the
/// launch.
cudaError_t gather_positions(const StridedPositions& from, const std::uint32_t* order,
                             std::size_t first, std::size_t count, double* to,
                             GatheredSummary* summary, cudaStream_t stream);

}  // namespace starhist::kernels::cuda
