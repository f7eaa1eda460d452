#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tasks/runtime/runtime.hh"

namespace starhist::tasks {

/// An environment variable that StarPU, or hwloc on its behalf, reads at its start.
struct EnvironmentSetting {
  std::string variable;
  std::string value;
};

/// StarPU's variables that a program should set, unless its user has set them, before
/// it starts threads and before its first Runtime. No function of this library changes
/// the environment of its process; counts are the same without these variables.
///
/// - STARPU_WORKERS_GETBIND=1: makes StarPU 1.3 respect taskset and batch systems, as
///   1.4 does by default.
/// - STARPU_SILENT=1: no hints about calibration on standard error.
/// - HWLOC_COMPONENTS=-gl: hwloc does not ask X servers for their GPUs, which is slow
///   over a network. StarPU finds GPUs through CUDA.
/// - STARPU_NWORKER_PER_CUDA=2, only for CpuMode::core: 2 to 19 % more pairs per
///   second with GPUs.
/// - CUDA_DEVICE_MAX_CONNECTIONS=2, unless the user sets STARPU_NWORKER_PER_CUDA: CUDA
///   starts, and ends, in two thirds of the time. It only affects programs that have
///   not used CUDA yet.
std::vector<EnvironmentSetting> recommended_environment(CpuMode mode);

/// Maximum length of the path of the folder of StarPU's models [bytes]. StarPU 1.3
/// reserves 256 bytes for a model's path, including the names of kernel and host, and
/// aborts beyond.
constexpr std::size_t longest_models_path = 160;

}  // namespace starhist::tasks
