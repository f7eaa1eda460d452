#include "tasks/runtime/runtime_speeds.hh"

#include "codelets/count_pairs_codelet.hh"
#include "tasks/runtime/simulation.hh"

namespace starhist::tasks {
namespace {

EvaluationSpeeds speeds_of(const MachineSpeeds& machine, const Workload& work,
                           perfmodels::Order order,
                           const perfmodels::CountPairsModel& model) {
  constexpr double cpu_pairs = 1e8;  // of a typical task
  const bool spatial = order == perfmodels::Order::spatial;
  const TaskSize task = typical_gpu_task(work, order);
  // One worker of each GPU counts particles in spatial order (TaskWorkers).
  const std::uint64_t streams = spatial ? 1 : machine.streams_per_gpu;
  EvaluationSpeeds speeds;
  speeds.worker = cpu_pairs / model.seconds(STARPU_CPU_WORKER, 0, cpu_pairs);
  speeds.gpu = static_cast<double>(streams) * task.pairs /
               model.seconds_of_fastest(STARPU_CUDA_WORKER, task.pairs, task.frames);
  // Simulated tasks take the predicted times, as if earlier tasks had measured them.
  const auto source = [&](starpu_worker_archtype kind) {
    return simulated() ? perfmodels::SpeedSource::this_run : model.source(kind);
  };
  speeds.worker_source = source(STARPU_CPU_WORKER);
  speeds.gpu_source = source(STARPU_CUDA_WORKER);
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
  machine.seconds_to_sort_a_particle =
      perfmodels::gpu_seconds_to_sort_a_particle(runtime.gpu());
  return machine;
}

MachineSpeeds runtime_speeds(Runtime& runtime, const Workload& work) {
  MachineSpeeds machine = runtime_workers(runtime);
  const auto speeds_in = [&](perfmodels::Order order) {
    return speeds_of(machine, work, order,
                     runtime.count_pairs(work.kind, work.geometry, order).model());
  };
  machine.any_order = speeds_in(perfmodels::Order::any);
  machine.spatial_order = speeds_in(perfmodels::Order::spatial);
  return machine;
}

bool has_measured_models(Runtime& runtime, const Workload& work,
                         perfmodels::Order order) {
  const perfmodels::CountPairsModel& model =
      runtime.count_pairs(work.kind, work.geometry, order).model();
  return (runtime.cpu_workers() == 0 ||
          perfmodels::is_measured(model.source(STARPU_CPU_WORKER))) &&
         (runtime.gpus() == 0 ||
          perfmodels::is_measured(model.source(STARPU_CUDA_WORKER)));
}

}  // namespace starhist::tasks
