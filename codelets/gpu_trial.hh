#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codelets/kernels/count_pairs.hh"

namespace starhist::codelets {

/// A CUDA kernel on one GPU, for blocks in host memory: copies, counts, waits. Slow for
/// small blocks; for trials. Throws RunError.
struct GpuTrial {
  std::string name;  ///< "GPU 0 fixed-point"
  std::function<std::uint64_t(std::span<const kernels::PairBlock>,
                              std::uint64_t* counts)>
      count;
};

/// One for each way to count on each GPU that can be used. Empty in a build without
/// CUDA.
std::vector<GpuTrial> gpu_trials();

}  // namespace starhist::codelets
