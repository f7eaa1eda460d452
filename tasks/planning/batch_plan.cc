#include "tasks/planning/batch_plan.hh"

#include <algorithm>

#include "codelets/core/base/contract.hh"
#include "codelets/core/base/divide_up.hh"
#include "tasks/planning/cluster_cost.hh"
#include "tasks/planning/cpu_share_plan.hh"
#include "tasks/planning/plan_memory.hh"

namespace starhist::tasks {
namespace {

/// Takes about 1 s: progress stays visible, and a run can be interrupted.
constexpr std::uint64_t most_pairs_per_core_task = 1'000'000'000;
/// At this number of tasks per worker the last one to finish costs 1 to 2 %.
constexpr std::uint64_t tasks_per_worker = 64;
/// Tasks waiting for each worker, so that none idles while a frame is submitted.
constexpr std::uint64_t queued_tasks_per_worker = 4;

/// Duration of a GPU task, or of a batch of small frames [s]: long enough for many
/// rows, which the kernels need.
constexpr double gpu_task_seconds = 8e-3;
/// Duration of a GPU task with clusters, which each task builds first [s].
constexpr double clustered_gpu_task_seconds = 24e-3;
/// Work in flight per GPU, in units of one GPU task's duration: several tasks for each
/// kind of worker, and a margin for a late reader.
constexpr double gpu_tasks_in_flight = 3.0;
/// Smallest number of tasks per GPU in a run, unless the tasks would become too small.
constexpr std::uint64_t tasks_per_gpu = 16;
constexpr std::uint64_t least_pairs_per_gpu_task = 100'000'000;
/// Largest size of the positions of a batch of several frames [bytes]: they are still
/// in a processor's cache when they are copied for GPUs.
constexpr std::uint64_t most_batch_bytes = std::uint64_t{24} << 20U;

std::uint64_t scaled(std::uint64_t number, double factor) {
  return static_cast<std::uint64_t>(static_cast<double>(number) * factor);
}

/// Each task converts all columns to fixed point. With clusters, whose rows have few
/// near pairs, a task needs more rows to make up for that.
std::uint64_t least_pairs_of_a_clustered_task(const Workload& work,
                                              const CountingSpeeds& speeds) {
  constexpr double rows = 200.0;
  const double least = rows / speeds.cost * static_cast<double>(work.particles);
  const double most = static_cast<double>(work.pairs_per_frame) /
                      static_cast<double>(4 * speeds.workers);
  return static_cast<std::uint64_t>(std::min(least, most));
}

/// Chooses sizes for CPU workers only, from the pairs to be evaluated.
void plan_for_cpus(const MachineSpeeds& machine, const Workload& work,
                   const CountingSpeeds& speeds, BatchPlan& plan) {
  const std::uint64_t evaluated = scaled(work.pairs_per_frame, speeds.cost);
  const std::uint64_t share = evaluated * std::max<std::uint64_t>(work.frames, 1) /
                              (speeds.workers * tasks_per_worker);
  plan.most_pairs_per_task =
      std::clamp(share, 2 * least_pairs_per_task,
                 most_pairs_per_core_task * machine.threads_per_worker);
  const std::uint64_t least_batch =
      least_pairs_per_task * work.species_pairs * machine.threads_per_worker;
  plan.frames_per_batch = divide_up(least_batch, std::max<std::uint64_t>(evaluated, 1));
  // Limit the size so that every worker gets a batch.
  const std::uint64_t frames_per_worker = divide_up(work.frames, 2 * speeds.workers);
  plan.frames_per_batch = std::clamp<std::uint64_t>(
      plan.frames_per_batch, 1, std::max<std::uint64_t>(frames_per_worker, 1));
  if (speeds.clustered()) {
    plan.most_pairs_per_task =
        std::max(static_cast<std::uint64_t>(
                     static_cast<double>(plan.most_pairs_per_task) / speeds.cost),
                 least_pairs_of_a_clustered_task(work, speeds));
  }
}

double seconds_of_gpu_task(const CountingSpeeds& speeds) {
  return speeds.clustered() ? clustered_gpu_task_seconds : gpu_task_seconds;
}

/// Smallest task of a GPU. With clusters, which each task builds from all particles,
/// counting must take much longer than that; but each GPU gets at least two tasks.
std::uint64_t least_pairs_of_a_gpu_task(const Workload& work,
                                        const CountingSpeeds& speeds,
                                        std::uint64_t all_pairs) {
  if (!speeds.clustered()) {
    return least_pairs_per_gpu_task;
  }
  constexpr double much_longer = 40.0;
  const double least = much_longer * gpu_cost_of_a_particle *
                       static_cast<double>(work.particles) / work.cluster_cost_on_gpus;
  const double most =
      static_cast<double>(all_pairs) / static_cast<double>(2 * speeds.gpus);
  return std::max(least_pairs_per_gpu_task,
                  static_cast<std::uint64_t>(std::min(least, most)));
}

/// Chooses sizes for GPUs, and for CPU workers alongside them if there are any.
void plan_for_gpus(const MachineSpeeds& machine, const Workload& work,
                   const CountingSpeeds& speeds, BatchPlan& plan) {
  plan_cpu_share(work, speeds, plan);

  const std::uint64_t all_pairs =
      work.pairs_per_frame * std::max<std::uint64_t>(work.frames, 1);
  const std::uint64_t share = divide_up(all_pairs, speeds.gpus * tasks_per_gpu);
  const std::uint64_t least = least_pairs_of_a_gpu_task(work, speeds, all_pairs);
  const auto usual =
      static_cast<std::uint64_t>(seconds_of_gpu_task(speeds) * speeds.gpu);
  const std::uint64_t most = speeds.clustered() ? std::max(usual, least) : usual;
  plan.most_pairs_per_gpu_task = std::clamp(share, std::min(least, most), most);
  const std::uint64_t pieces =
      divide_up(work.pairs_per_frame, plan.most_pairs_per_gpu_task);
  if (work.frames == 1 && pieces > 1) {  // equally many for each counting worker
    const std::uint64_t together =
        speeds.gpus * (speeds.clustered() ? 1 : machine.streams_per_gpu);
    plan.most_pairs_per_gpu_task =
        divide_up(work.pairs_per_frame, divide_up(pieces, together) * together);
  }

  plan.frames_per_batch = divide_up(plan.most_pairs_per_gpu_task,
                                    std::max<std::uint64_t>(work.pairs_per_frame, 1));
  if (!speeds.clustered()) {
    const std::uint64_t frame_bytes =
        3 * sizeof(double) * std::max<std::uint64_t>(work.particles, 1);
    plan.frames_per_batch = std::clamp<std::uint64_t>(most_batch_bytes / frame_bytes, 1,
                                                      plan.frames_per_batch);
  }
  // A block ends with a batch: equal sizes leave no small one.
  const std::uint64_t block = std::max<std::uint64_t>(work.frames_per_block, 1);
  plan.frames_per_batch = divide_up(block, divide_up(block, plan.frames_per_batch));
  const std::uint64_t frames_per_gpu = divide_up(work.frames, 4 * speeds.gpus);
  plan.frames_per_batch = std::clamp<std::uint64_t>(
      plan.frames_per_batch, 1, std::max<std::uint64_t>(frames_per_gpu, 1));
}

/// Frames per batch if all pairs have labels: enough for tasks of some pairs, and
/// several batches, so that frames are read meanwhile.
std::uint64_t frames_of_labelled_batch(const Workload& work) {
  constexpr std::uint64_t batches = 4;
  return std::clamp<std::uint64_t>(
      divide_up(least_pairs_per_task / 2 * work.labelled_groups,
                std::max<std::uint64_t>(work.labelled_pairs_per_frame, 1)),
      1, std::max<std::uint64_t>(work.frames / batches, 1));
}

std::uint64_t batches_in_flight(const Workload& work, const CountingSpeeds& speeds,
                                const BatchPlan& plan) {
  const std::uint64_t batch_pairs =
      (work.pairs_per_frame + work.labelled_pairs_per_frame) * plan.frames_per_batch /
      work.row_parts;
  if (speeds.gpus > 0) {
    // A part of a frame's rows can be a single task.
    const std::uint64_t least = work.row_parts > 1 ? 2 * speeds.gpus : 2;
    const double batches = gpu_tasks_in_flight * seconds_of_gpu_task(speeds) *
                           (speeds.of_gpus() + speeds.of_cpus()) /
                           static_cast<double>(std::max<std::uint64_t>(batch_pairs, 1));
    constexpr double most_batches = 256;
    return std::max(least,
                    2 + static_cast<std::uint64_t>(std::min(batches, most_batches)));
  }
  const std::uint64_t tasks_per_batch =
      std::max<std::uint64_t>({work.species_pairs + work.labelled_groups,
                               batch_pairs / plan.most_pairs_per_task, 1});
  return 1 + divide_up(queued_tasks_per_worker * speeds.workers, tasks_per_batch);
}

}  // namespace

BatchPlan plan_batches(const MachineSpeeds& machine, const Workload& work,
                       std::uint64_t memory_bytes, std::uint64_t most_pairs_per_task) {
  STARHIST_EXPECT(work.row_parts >= 1, "rows are cut into at least one part");
  const CountingSpeeds speeds = counting_speeds(machine, work);
  BatchPlan plan;
  plan.clustered = speeds.clustered();
  if (speeds.gpus > 0) {
    plan_for_gpus(machine, work, speeds, plan);
  } else {
    plan_for_cpus(machine, work, speeds, plan);
  }
  if (work.labelled_groups > 0 && work.pairs_per_frame == 0) {
    plan.frames_per_batch = frames_of_labelled_batch(work);
  }
  if (most_pairs_per_task != 0) {
    plan.most_pairs_per_task = most_pairs_per_task;
    plan.most_pairs_per_gpu_task = speeds.gpus > 0 ? most_pairs_per_task : 0;
  }
  PlanMemory memory(machine, work, speeds, memory_bytes);
  plan.frames_per_batch =
      std::min(plan.frames_per_batch, memory.most_frames_per_batch());
  plan.batches_in_flight = batches_in_flight(work, speeds, plan);
  plan.batches_of_cpus = batches_of_cpus(work, speeds, plan);
  memory.fit(plan);
  STARHIST_ENSURE(plan.frames_per_batch >= 1 && plan.batches_in_flight >= 1 &&
                      plan.open_blocks >= 1,
                  "a plan has a frame, a batch and a block");
  STARHIST_ENSURE(plan.cpu_share >= 0.0 && plan.cpu_share < 1.0,
                  "the share of CPU workers is in [0, 1)");
  STARHIST_ENSURE((speeds.gpus > 0) == (plan.most_pairs_per_gpu_task > 0),
                  "only a plan with GPUs has tasks for them");
  STARHIST_ENSURE(speeds.gpus > 0 || plan.most_pairs_per_task >= 1,
                  "a task has at least one pair");
  return plan;
}

std::optional<BatchPlan> plan_with_measured_speeds(const BatchPlan& plan,
                                                   const MachineSpeeds& machine,
                                                   Workload work,
                                                   std::uint64_t memory_bytes,
                                                   std::uint64_t most_pairs_per_task) {
  const EvaluationSpeeds& speeds =
      plan.clustered ? machine.spatial_order : machine.any_order;
  if (machine.gpus == 0 || speeds.gpu_source != perfmodels::SpeedSource::this_run) {
    return {};
  }
  work.clusters = plan.clustered ? Clustering::on : Clustering::off;
  return plan_batches(machine, work, memory_bytes, most_pairs_per_task);
}

}  // namespace starhist::tasks
