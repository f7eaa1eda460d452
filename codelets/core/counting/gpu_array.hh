#pragma once

#include <cstddef>

namespace starhist {

/// A caller's positions in the memory of a GPU, as float or double: component c of
/// particle i is at data + i * particle_stride + c * component_stride.
struct GpuArray {
  const void* data = nullptr;
  bool single = false;  ///< components are float
  std::size_t particles = 0;
  /// Bytes between particles and between components; both 0: contiguous.
  std::ptrdiff_t particle_stride = 0;
  std::ptrdiff_t component_stride = 0;
  /// CUDA stream whose queued work computes the positions; null: the default stream.
  void* stream = nullptr;
};

}  // namespace starhist
