#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <starpu.h>

#include "perfmodels/gpu_speeds.hh"

namespace starhist::tasks {

/// The GPUs for StarPU, chosen before it starts.
struct GpuChoice {
  int count = 0;
  std::map<int, std::string> names;  ///< models of all detected GPUs, by CUDA's number
  /// Free bytes of the GPU with the least free memory; 2^64 - 1 without GPUs.
  std::uint64_t free_bytes = UINT64_MAX;
  std::vector<std::string> problems;  ///< a message for each unusable GPU
};

/// True if this machine may have GPUs for a run. They are not tested and may turn out
/// to be unusable. False with STARPU_NCUDA=0 and in a build without CUDA. Does not
/// start CUDA, which takes a tenth of a second, on a machine with NVIDIA's device
/// files.
bool expect_gpus();

/// Looks for GPUs, unless STARPU_NCUDA=0, and adds up to `most` working ones to `conf`
/// (-1: all). STARPU_NCUDA and STARPU_WORKERS_CUDAID override this choice. If a GPU is
/// unusable, StarPU will ignore its variables in favour of `conf`. Finds none in a
/// build without CUDA.
GpuChoice choose_gpus(starpu_conf& conf, int most = -1);

/// Properties of the GPU with CUDA's number `id`; empty if CUDA does not report them.
std::optional<perfmodels::GpuProperties> gpu_properties(int id);

}  // namespace starhist::tasks
