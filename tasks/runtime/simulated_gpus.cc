// Replaces gpus.cc when StarPU simulates the workers. The platform file defines the
// GPUs, and STARPU_NCUDA limits how many are used.
#include <algorithm>
#include <cstdlib>

#include "tasks/runtime/gpus.hh"
#include "tasks/runtime/simulation.hh"

namespace starhist::tasks {
namespace {

int simulated_gpus() {
  const char* text = std::getenv("STARPU_NCUDA");
  return text == nullptr ? 0 : std::clamp(std::atoi(text), 0, STARPU_MAXCUDADEVS);
}

}  // namespace

bool expect_gpus() {
  return simulated_gpus() > 0;
}

GpuChoice choose_gpus(starpu_conf& conf, int /*most*/) {
  GpuChoice choice;
  choice.count = simulated_gpus();
  conf.ncuda = choice.count;
  return choice;
}

std::optional<perfmodels::GpuProperties> gpu_properties(int id) {
  return simulated_gpu(id);
}

}  // namespace starhist::tasks
