#include "tasks/runtime/recommended_environment.hh"

namespace starhist::tasks {

std::vector<EnvironmentSetting> recommended_environment(CpuMode mode) {
  std::vector<EnvironmentSetting> settings{{"STARPU_WORKERS_GETBIND", "1"},
                                           {"STARPU_SILENT", "1"},
                                           {"HWLOC_COMPONENTS", "-gl"}};
  if (mode == CpuMode::core) {
    // A kernel does not fill a GPU at its end: the kernel of the second worker does.
    // Not with teams: StarPU wants a core for each worker, and teams have them all.
    settings.push_back({"STARPU_NWORKER_PER_CUDA", "2"});
  }
  return settings;
}

}  // namespace starhist::tasks
