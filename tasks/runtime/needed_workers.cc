#include "tasks/runtime/needed_workers.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "tasks/runtime/cpu_topology.hh"
#include "tasks/runtime/gpus.hh"
#include "tasks/runtime/simulation.hh"

namespace starhist::tasks {
namespace {

/// A fifth of the speed of a core with AVX-512 [pairs/s].
constexpr double slow_core = 3e8;
/// A third of the speed of a T4 [pairs/s].
constexpr double slow_gpu = 5e10;

/// Half of the time in which CUDA starts on one H100 and releases it at the end [s].
constexpr double gpu_start_seconds = 0.15;
/// Time to start each further GPU: the driver starts them one after the other [s].
constexpr double further_gpu_seconds = 0.15;
/// Time by which each CPU worker delays the others at the start [s].
constexpr double cpu_worker_seconds = 1e-3;

/// Pairs of a frame below which fast GPUs wait for the host, whose work grows with the
/// number of workers: frames of 1000 particles took 14 to 25 % longer with four CPU
/// workers (docs/benchmarks/schedulers.md).
constexpr double host_bound_pairs = 1e6;

/// Number n of workers that minimizes seconds / n + n start_seconds.
double best_number(double seconds, double start_seconds) {
  return std::ceil(std::sqrt(seconds / start_seconds));
}

/// True if the user has chosen workers, or measures them.
bool workers_are_chosen() {
  constexpr std::array variables{
      "STARPU_NCPU",           "STARPU_NCPUS",          "STARPU_RESERVE_NCPU",
      "STARPU_NCUDA",          "STARPU_WORKERS_CPUID",  "STARPU_WORKERS_COREID",
      "STARPU_WORKERS_CUDAID", "STARPU_LIMIT_CUDA_MEM", "STARPU_CALIBRATE"};
  return std::any_of(variables.begin(), variables.end(), [](const char* variable) {
    return std::getenv(variable) != nullptr;
  });
}

}  // namespace

NeededWorkers needed_workers(double pairs, double frames, int cores,
                             bool gpus_expected) {
  const double core_seconds = pairs / slow_core;
  NeededWorkers needed;
  if (gpus_expected && core_seconds > gpu_start_seconds * cores) {
    constexpr double most = 1024.0;
    needed.gpus = static_cast<int>(
        std::clamp(best_number(pairs / slow_gpu, further_gpu_seconds), 1.0, most));
    if (pairs / frames < host_bound_pairs) {
      needed.cpu_workers_beside_gpus = 1;  // repeats tasks that a GPU refuses
    }
    return needed;
  }
  needed.gpus = gpus_expected ? 0 : -1;
  constexpr double least = 4.0;
  const double workers = std::max(best_number(core_seconds, cpu_worker_seconds), least);
  // StarPU starts one worker per core, and a core may be two processors.
  needed.cpu_workers = 2.0 * workers <= cores ? static_cast<int>(workers) : -1;
  return needed;
}

StarpuSettings settings_for_run(CpuMode mode, std::optional<double> pairs,
                                std::uint64_t frames) {
  StarpuSettings settings;
  if (!pairs || mode != CpuMode::core || simulated() || workers_are_chosen()) {
    return settings;
  }
  const NeededWorkers needed =
      needed_workers(*pairs, static_cast<double>(std::max<std::uint64_t>(frames, 1)),
                     std::max(usable_processors(), 1), expect_gpus());
  settings.cpu_workers = needed.cpu_workers;
  settings.gpus = needed.gpus;
  settings.cpu_workers_beside_gpus = needed.cpu_workers_beside_gpus;
  return settings;
}

}  // namespace starhist::tasks
