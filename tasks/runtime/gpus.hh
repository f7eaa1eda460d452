#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <starpu.h>

namespace starhist::tasks {

/// Which GPUs StarPU is to use, before it starts.
struct GpuChoice {
  int count = 0;
  std::map<int, std::string> names;  ///< models of all GPUs found, by CUDA's number
  /// Free bytes of the GPU that has least; 2^64 - 1 without GPUs.
  std::uint64_t free_bytes = UINT64_MAX;
  std::vector<std::string> problems;  ///< a sentence for each GPU that is left out
};

/// Whether this machine may have GPUs for a run. They are not tried, so that they may
/// turn out not to be usable. False with STARPU_NCUDA=0 and in a build without CUDA.
bool expect_gpus();

/// Looks for GPUs, unless STARPU_NCUDA=0, and sets those in `conf` that work, for
/// StarPU to use. STARPU_NCUDA and STARPU_WORKERS_CUDAID win over this. None in a build
/// without CUDA.
GpuChoice choose_gpus(starpu_conf& conf);

}  // namespace starhist::tasks
