#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codelets/kernels/count_pairs.hh"

namespace starhist::codelets {

/// A CUDA kernel on one GPU for blocks in host memory, for tests and benchmarks of
/// kernels without StarPU.
struct GpuTrial {
  std::string name;  ///< "GPU 0 fixed-point"
  /// Copies blocks to the GPU, adds their pairs to `counts` and waits, which is slow
  /// for small blocks. Returns the number of pairs. Throws RunError when CUDA reports
  /// an error.
  std::function<std::uint64_t(std::span<const kernels::PairBlock>,
                              std::uint64_t* counts)>
      count;
};

/// A trial for each kernel on each usable GPU. Empty in a build without CUDA.
std::vector<GpuTrial> gpu_trials();

}  // namespace starhist::codelets
