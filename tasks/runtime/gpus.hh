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
  std::map<int, std::string> names;       ///< by CUDA's number
  std::uint64_t free_bytes = UINT64_MAX;  ///< of the GPU that has least
  std::vector<std::string> problems;      ///< sentences about GPUs that are left out
};

/// Whether this machine has GPUs that a run would look at; they may turn out not to be
/// usable.
bool expect_gpus();

/// Looks for GPUs, unless STARPU_NCUDA=0, and leaves those to StarPU that work.
/// STARPU_NCUDA and STARPU_WORKERS_CUDAID still win. None in a build without CUDA.
GpuChoice choose_gpus(starpu_conf& conf);

}  // namespace starhist::tasks
