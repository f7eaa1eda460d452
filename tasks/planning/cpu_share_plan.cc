#include "tasks/planning/cpu_share_plan.hh"

#include <algorithm>

namespace starhist::tasks {
namespace {

double seconds_of_gpus(const Workload& work, const CountingSpeeds& speeds,
                       std::uint64_t frames) {
  return static_cast<double>(frames) *
         static_cast<double>(std::max<std::uint64_t>(work.pairs_per_frame, 1)) /
         speeds.of_gpus();
}

/// Time in which the host receives a frame, copies its positions for GPUs and returns
/// it, as measured (docs/benchmarks/simulated-runs.md) [s].
double seconds_of_host(const Workload& work) {
  constexpr double frame = 6e-6;
  constexpr double bytes_per_second = 22e9;
  constexpr double position_bytes = 24.0;
  return frame +
         position_bytes * static_cast<double>(work.particles) / bytes_per_second;
}

/// Time until a CPU worker alongside GPUs has finished its tasks: two are queued, and
/// may take twice as long as planned.
double seconds_until_cpus_are_done(const Workload& work, const CountingSpeeds& speeds,
                                   const BatchPlan& plan) {
  constexpr double tasks = 4.0;
  return tasks * static_cast<double>(cpu_task_pairs(plan, work.particles)) /
         speeds.worker;
}

}  // namespace

double cpu_share(const CountingSpeeds& speeds) {
  // The shapes of tasks alongside GPUs cost a CPU some of its speed. Tasks of this run
  // have measured that; then CPU workers get somewhat more than they can count, so that
  // they never wait, up to the room that CpuBudget leaves.
  constexpr double measured_alongside = 1.1;
  constexpr double usual = 1.0;
  constexpr double caution = 0.5;
  const double part = !speeds.known() ? caution
                      : speeds.worker_source == perfmodels::SpeedSource::this_run
                          ? measured_alongside
                          : usual;
  constexpr double most = 0.99;
  return std::min(part * speeds.of_cpus() / (speeds.of_cpus() + speeds.of_gpus()),
                  most);
}

std::uint64_t cpu_task_pairs(const BatchPlan& plan, std::uint64_t columns) {
  constexpr std::uint64_t least_rows = 64;  // each task converts all columns
  return std::max(plan.most_pairs_per_task, least_rows * columns);
}

/// Plans no share if CPU workers are too slow to matter: alongside an H100, 15 cores
/// with 1.5 to 3 % of the speed gained 1 % at most and cost up to 15 %
/// (docs/benchmarks), if GPUs would finish the run within a few tasks of a CPU worker,
/// or if they wait for the host, which more tasks would delay.
void plan_cpu_share(const Workload& work, const CountingSpeeds& speeds,
                    BatchPlan& plan) {
  // Short, so that GPUs do not wait long for it at the end of a run.
  constexpr double task_seconds = 8e-3;
  constexpr double least_tasks = 1.5;
  constexpr double least_share = 0.05;  // of the total speed
  plan.most_pairs_per_task = std::max(
      least_pairs_per_task, static_cast<std::uint64_t>(task_seconds * speeds.worker));
  const double cpus = seconds_until_cpus_are_done(work, speeds, plan);
  const std::uint64_t frames = std::max<std::uint64_t>(work.frames, 1);
  if (speeds.of_cpus() >= least_share * (speeds.of_cpus() + speeds.of_gpus()) &&
      seconds_of_gpus(work, speeds, frames) > least_tasks * cpus &&
      seconds_of_gpus(work, speeds, 1) > seconds_of_host(work)) {
    plan.cpu_share = cpu_share(speeds);
    plan.last_frames_for_gpus =
        static_cast<std::uint64_t>(cpus / seconds_of_gpus(work, speeds, 1));
  }
}

std::uint64_t batches_of_cpus(const Workload& work, const CountingSpeeds& speeds,
                              const BatchPlan& plan) {
  if (plan.cpu_share == 0.0) {
    return 0;
  }
  constexpr double most = 64.0;
  const double batches = seconds_until_cpus_are_done(work, speeds, plan) /
                         seconds_of_gpus(work, speeds, plan.frames_per_batch);
  return 1 + static_cast<std::uint64_t>(std::min(batches, most));
}

}  // namespace starhist::tasks
