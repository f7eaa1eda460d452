#include "tasks/runtime/runtime_speeds.hh"

#include <algorithm>
#include <cmath>

#include "codelets/count_pairs_codelet.hh"

namespace starhist::tasks {
namespace {

/// Size of a counting task.
struct TaskSize {
  double pairs = 0.0;        ///< number of evaluated pairs in all frames [> 0]
  std::uint32_t frames = 1;  ///< [>= 1]
};

/// Size of a typical GPU task: the pairs of two species in a batch of frames. The batch
/// has about as many evaluated pairs as plan_batches() chooses.
TaskSize gpu_task(const Workload& work, perfmodels::Order order) {
  const bool spatial = order == perfmodels::Order::spatial;
  const double pairs_of_a_batch = spatial ? 5e10 : 8e9;
  const double cost_of_a_pair = spatial ? work.cluster_cost_on_gpus : 1.0;
  const double frame = cost_of_a_pair * static_cast<double>(work.pairs_per_frame);
  if (frame <= 0.0) {
    return {pairs_of_a_batch, 1};
  }
  const std::uint64_t most =
      std::min(work.frames > 0 ? work.frames : UINT64_MAX,
               std::max<std::uint64_t>(work.frames_per_block, 1));
  const double frames =
      std::clamp(pairs_of_a_batch / frame, 1.0, static_cast<double>(most));
  const double of_two_species =
      frame / static_cast<double>(std::max<std::uint64_t>(work.species_pairs, 1));
  return {std::floor(frames) * std::min(of_two_species, pairs_of_a_batch),
          static_cast<std::uint32_t>(frames)};
}

EvaluationSpeeds speeds_of(const MachineSpeeds& machine, const Workload& work,
                           perfmodels::Order order,
                           const perfmodels::CountPairsModel& model) {
  constexpr double cpu_pairs = 1e8;  // of a typical task
  const bool spatial = order == perfmodels::Order::spatial;
  const TaskSize task = gpu_task(work, order);
  // One worker of each GPU counts particles in spatial order (TaskWorkers).
  const std::uint64_t streams = spatial ? 1 : machine.streams_per_gpu;
  EvaluationSpeeds speeds;
  speeds.worker = cpu_pairs / model.seconds(STARPU_CPU_WORKER, 0, cpu_pairs);
  speeds.gpu = static_cast<double>(streams) * task.pairs /
               model.seconds(STARPU_CUDA_WORKER, 0, task.pairs, task.frames);
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

}  // namespace starhist::tasks
