#include "tasks/runtime/runtime_speeds.hh"

#include <algorithm>
#include <vector>

#include "codelets/count_pairs_codelet.hh"
#include "tasks/runtime/simulation.hh"

namespace starhist::tasks {
namespace {

/// Numbers of the GPUs; 0 if their properties are unknown.
std::vector<int> gpu_numbers(const Runtime& runtime) {
  std::vector<int> numbers;
  for (const auto& [number, properties] : runtime.gpu_properties()) {
    numbers.push_back(number);
  }
  return numbers.empty() ? std::vector<int>{0} : numbers;
}

/// Mean speed of GPUs with one stream [evaluated pairs/s].
double mean_speed(const perfmodels::CountPairsModel& model,
                  const std::vector<int>& gpus, const TaskSize& task) {
  double sum = 0.0;
  for (const int gpu : gpus) {
    sum += task.pairs /
           model.seconds_of_fastest({STARPU_CUDA_WORKER, gpu}, task.pairs, task.frames);
  }
  return sum / static_cast<double>(gpus.size());
}

/// Basis of the speeds of GPUs: not measured if one of them is not.
perfmodels::SpeedSource source_of(const perfmodels::CountPairsModel& model,
                                  const std::vector<int>& gpus) {
  perfmodels::SpeedSource source = perfmodels::SpeedSource::history;
  for (const int gpu : gpus) {
    const perfmodels::SpeedSource own = model.source({STARPU_CUDA_WORKER, gpu});
    source = perfmodels::is_measured(source) ? own : source;
  }
  return source;
}

EvaluationSpeeds speeds_of(const MachineSpeeds& machine, const Workload& work,
                           perfmodels::Order order, const std::vector<int>& gpus,
                           const perfmodels::CountPairsModel& model) {
  constexpr double cpu_pairs = 1e8;  // of a typical task
  const bool spatial = order == perfmodels::Order::spatial;
  const TaskSize task = typical_gpu_task(work, order);
  // One worker of each GPU counts particles in spatial order (TaskWorkers).
  const std::uint64_t streams = spatial ? 1 : machine.streams_per_gpu;
  EvaluationSpeeds speeds;
  speeds.worker = cpu_pairs / model.seconds(STARPU_CPU_WORKER, 0, cpu_pairs);
  speeds.gpu = static_cast<double>(streams) * mean_speed(model, gpus, task);
  // Simulated tasks take the predicted times, as if earlier tasks had measured them.
  speeds.worker_source =
      simulated() ? perfmodels::SpeedSource::this_run : model.source(STARPU_CPU_WORKER);
  speeds.gpu_source =
      simulated() ? perfmodels::SpeedSource::this_run : source_of(model, gpus);
  return speeds;
}

}  // namespace

MachineSpeeds runtime_workers(const Runtime& runtime) {
  MachineSpeeds machine;
  machine.workers = runtime.cpu_workers();
  machine.threads_per_worker = static_cast<std::uint64_t>(runtime.threads_per_worker());
  machine.gpus = runtime.gpus();
  machine.streams_per_gpu = runtime.streams_per_gpu();
  machine.gpu_memory = runtime.gpu_memory();
  double slowest = 0.0;
  for (const auto& [number, gpu] : runtime.gpu_properties()) {
    slowest = std::max(slowest, perfmodels::gpu_seconds_to_sort_a_particle(gpu));
  }
  if (slowest > 0.0) {
    machine.seconds_to_sort_a_particle = slowest;
  }
  return machine;
}

MachineSpeeds runtime_speeds(Runtime& runtime, const Workload& work) {
  MachineSpeeds machine = runtime_workers(runtime);
  const auto speeds_in = [&](perfmodels::Order order) {
    return speeds_of(machine, work, order, gpu_numbers(runtime),
                     runtime.count_pairs(work.kind, work.geometry, order).model());
  };
  machine.any_order = speeds_in(perfmodels::Order::any);
  machine.spatial_order = speeds_in(perfmodels::Order::spatial);
  if (work.only_on_cpus) {
    machine.gpus = 0;
  }
  return machine;
}

bool has_measured_models(Runtime& runtime, const Workload& work,
                         perfmodels::Order order) {
  const perfmodels::CountPairsModel& model =
      runtime.count_pairs(work.kind, work.geometry, order).model();
  return (runtime.cpu_workers() == 0 ||
          perfmodels::is_measured(model.source(STARPU_CPU_WORKER))) &&
         (runtime.gpus() == 0 ||
          perfmodels::is_measured(source_of(model, gpu_numbers(runtime))));
}

}  // namespace starhist::tasks
