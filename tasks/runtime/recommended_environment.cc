#include "tasks/runtime/recommended_environment.hh"

#include <cstdlib>

namespace starhist::tasks {

std::vector<EnvironmentSetting> recommended_environment(CpuMode mode) {
  std::vector<EnvironmentSetting> settings{{"STARPU_WORKERS_GETBIND", "1"},
                                           {"STARPU_SILENT", "1"},
                                           {"HWLOC_COMPONENTS", "-gl"}};
  if (mode == CpuMode::core) {
    // The last warps of a kernel leave a GPU partly idle; the second worker's kernel
    // fills it. Not with teams: StarPU reserves a core for each GPU worker, and teams
    // use all cores.
    settings.push_back({"STARPU_NWORKER_PER_CUDA", "2"});
  }
  if (std::getenv("STARPU_NWORKER_PER_CUDA") == nullptr) {
    // A queue for the kernels of each worker. CUDA's default of 8 queues takes a third
    // longer to start; copies have separate queues.
    settings.push_back({"CUDA_DEVICE_MAX_CONNECTIONS", "2"});
  }
  return settings;
}

}  // namespace starhist::tasks
