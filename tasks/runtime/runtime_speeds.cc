#include "tasks/runtime/runtime_speeds.hh"

#include "codelets/count_pairs_codelet.hh"

namespace starhist::tasks {
namespace {

EvaluationSpeeds speeds_of(const MachineSpeeds& machine,
                           const perfmodels::CountPairsModel& model) {
  constexpr double cpu_pairs = 1e8;  // of a task of usual size
  constexpr double gpu_pairs = 8e9;
  EvaluationSpeeds speeds;
  speeds.worker = cpu_pairs / model.seconds(STARPU_CPU_WORKER, 0, cpu_pairs);
  speeds.gpu = static_cast<double>(machine.streams_per_gpu) * gpu_pairs /
               model.seconds(STARPU_CUDA_WORKER, 0, gpu_pairs);
  speeds.known = (machine.workers == 0 || model.known(STARPU_CPU_WORKER)) &&
                 (machine.gpus == 0 || model.known(STARPU_CUDA_WORKER));
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
  return machine;
}

MachineSpeeds runtime_speeds(Runtime& runtime, perfmodels::PairKind kind,
                             perfmodels::Geometry geometry) {
  MachineSpeeds machine = runtime_workers(runtime);
  const auto speeds_in = [&](perfmodels::Order order) {
    return speeds_of(machine, runtime.count_pairs(kind, geometry, order).model());
  };
  machine.any_order = speeds_in(perfmodels::Order::any);
  machine.spatial_order = speeds_in(perfmodels::Order::spatial);
  return machine;
}

}  // namespace starhist::tasks
