#pragma once

#include <cstddef>

namespace starhist::kernels::cuda {

/// Memory of the current device for ClusterRecords or for sorting, aligned like memory
/// from cudaMalloc. Launches of one stream may share it. 0 bytes: no memory.
struct Scratch {
  void* memory = nullptr;
  std::size_t bytes = 0;
};

}  // namespace starhist::kernels::cuda
