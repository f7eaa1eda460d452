#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tasks/runtime/runtime.hh"

namespace starhist::tasks {

/// An environment variable that StarPU, or hwloc for it, reads when it starts.
struct EnvironmentSetting {
  std::string variable;
  std::string value;
};

/// StarPU's variables that a program should set, where its user has not set them,
/// before it has several threads and before its first Runtime. No function of this
/// library changes the environment of its process; without them counts are the same.
///
/// - STARPU_WORKERS_GETBIND=1: StarPU 1.3 respects taskset and batch systems, as 1.4
///   does without it.
/// - STARPU_SILENT=1: no hints about calibration on standard error.
/// - HWLOC_COMPONENTS=-gl: hwloc does not ask X servers for their GPUs, which is slow
///   over a network. StarPU finds GPUs by CUDA.
/// - STARPU_NWORKER_PER_CUDA=2, only for CpuMode::core: with GPUs 2 to 19 % more pairs
///   per second.
std::vector<EnvironmentSetting> recommended_environment(CpuMode mode);

/// Largest length of the path of the folder of StarPU's models [bytes]. StarPU 1.3 has
/// 256 bytes for the path of a model, the name of the kernel and the host included, and
/// aborts beyond.
constexpr std::size_t longest_models_path = 160;

}  // namespace starhist::tasks
