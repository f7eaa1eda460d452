#pragma once

#include <cstddef>

namespace starhist::kernels::cuda {

/// Memory of the current device for what a launch knows of clusters, aligned as
/// cudaMalloc does. Launches of one stream may share it.
struct Scratch {
  void* memory = nullptr;
  std::size_t bytes = 0;
};

}  // namespace starhist::kernels::cuda
