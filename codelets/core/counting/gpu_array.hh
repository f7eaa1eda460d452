#pragma once

#include <cstddef>

namespace starhist {

/// Positions of a caller in the memory of a GPU, of float or double: component c of
/// particle i is at data + i * particle_stride + c * component_stride.
struct GpuArray {
  const void* data = nullptr;
  bool single = false;  ///< float
  std::size_t particles = 0;
  /// Bytes between particles and between components; both 0: without gaps.
  std::ptrdiff_t particle_stride = 0;
  std::ptrdiff_t component_stride = 0;
  /// CUDA's stream whose work so far makes the positions; null: the default stream.
  void* stream = nullptr;
};

}  // namespace starhist
