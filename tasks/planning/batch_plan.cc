#include "tasks/planning/batch_plan.hh"

#include <algorithm>
#include <sstream>

#include "codelets/core/base/divide_up.hh"
#include "codelets/core/base/error.hh"
#include "tasks/planning/frame_jobs.hh"

namespace starhist::tasks {
namespace {

/// A core counts about a pair per nanosecond: 1 ms of work.
constexpr std::uint64_t least_pairs_per_task = 1'000'000;
/// About 1 s: progress stays visible, and a run can be interrupted.
constexpr std::uint64_t most_pairs_per_core_task = 1'000'000'000;
/// With so many tasks per worker the last one to finish costs 1 to 2 %.
constexpr std::uint64_t tasks_per_worker = 64;
/// Tasks waiting for each worker, so that none runs dry while a frame is submitted.
constexpr std::uint64_t queued_tasks_per_worker = 4;

/// Seconds that a GPU works on a task, or on a batch of small frames: long enough for
/// many rows, which the kernels need.
constexpr double gpu_task_seconds = 8e-3;
/// The same with clusters: sorting, between two tasks, waits for the one beside it.
constexpr double clustered_gpu_task_seconds = 24e-3;
/// Seconds that a CPU worker beside GPUs works on a task, so that at the end of a run
/// nobody waits long for it.
constexpr double cpu_task_seconds = 8e-3;
/// So many times the seconds of a GPU's task are in flight beside GPUs: several tasks
/// of each kind of worker, and all that the reader may be late.
constexpr double gpu_tasks_in_flight = 3.0;
/// Tasks of each GPU in a run, at least, unless they would become too small.
constexpr std::uint64_t tasks_per_gpu = 16;
constexpr std::uint64_t least_pairs_per_gpu_task = 100'000'000;

std::string gibibytes(double bytes) {
  std::ostringstream text;
  text.precision(3);
  text << bytes / (1ULL << 30U) << " GiB";
  return text.str();
}

/// Each task converts all columns to fixed point: with clusters, where rows have few
/// pairs near them, it needs more rows for that.
std::uint64_t least_pairs_of_a_clustered_task(const WorkEstimate& work) {
  constexpr double rows = 200.0;
  const double least = rows / work.cost * static_cast<double>(work.particles);
  const double most =
      static_cast<double>(work.pairs_per_frame) / static_cast<double>(4 * work.workers);
  return static_cast<std::uint64_t>(std::min(least, most));
}

/// Sizes for CPU workers alone.
void plan_for_cpus(const WorkEstimate& all_work, BatchPlan& plan) {
  WorkEstimate work = all_work;  // as much as is to be evaluated
  work.pairs_per_frame = static_cast<std::uint64_t>(
      static_cast<double>(all_work.pairs_per_frame) * all_work.cost);
  const std::uint64_t share = work.pairs_per_frame *
                              std::max<std::uint64_t>(work.frames, 1) /
                              (work.workers * tasks_per_worker);
  plan.most_pairs_per_task =
      std::clamp(share, 2 * least_pairs_per_task,
                 most_pairs_per_core_task * work.threads_per_worker);

  const std::uint64_t least_batch =
      least_pairs_per_task * work.pair_kinds * work.threads_per_worker;
  plan.frames_per_batch =
      divide_up(least_batch, std::max<std::uint64_t>(work.pairs_per_frame, 1));
  // Not so large that some workers would get no batch at all.
  const std::uint64_t frames_per_worker = divide_up(work.frames, 2 * work.workers);
  plan.frames_per_batch = std::clamp<std::uint64_t>(
      plan.frames_per_batch, 1, std::max<std::uint64_t>(frames_per_worker, 1));
  if (all_work.clustered) {
    plan.most_pairs_per_task =
        std::max(static_cast<std::uint64_t>(
                     static_cast<double>(plan.most_pairs_per_task) / all_work.cost),
                 least_pairs_of_a_clustered_task(all_work));
  }
}

double seconds_of_gpu_task(const WorkEstimate& work) {
  return work.clustered ? clustered_gpu_task_seconds : gpu_task_seconds;
}

double seconds_of_gpus(const WorkEstimate& work, std::uint64_t frames) {
  return static_cast<double>(frames) *
         static_cast<double>(std::max<std::uint64_t>(work.pairs_per_frame, 1)) /
         (static_cast<double>(work.gpus) * work.gpu_speed);
}

/// Until a CPU worker beside GPUs has done its tasks: two wait for it, and may take
/// twice as long as they should.
double seconds_until_cpus_are_done(const WorkEstimate& work, const BatchPlan& plan) {
  constexpr double tasks = 4.0;
  return tasks * static_cast<double>(FrameJobs::cpu_task_pairs(plan, work.particles)) /
         work.worker_speed;
}

/// What CPU workers get beside GPUs: nothing, unless these alone would be busy for
/// several tasks of a CPU worker; else they would wait for that worker in the end.
void plan_for_cpus_beside_gpus(const WorkEstimate& work, BatchPlan& plan) {
  constexpr double least = 1.5;
  const double cpus = seconds_until_cpus_are_done(work, plan);
  const std::uint64_t frames = std::max<std::uint64_t>(work.frames, 1);
  if (seconds_of_gpus(work, frames) > least * cpus) {
    plan.cpu_share = cpu_share(work);
    plan.last_frames_for_gpus =
        static_cast<std::uint64_t>(cpus / seconds_of_gpus(work, 1));
  }
}

/// Sizes for GPUs, and CPU workers beside them if there are any.
void plan_for_gpus(const WorkEstimate& work, BatchPlan& plan) {
  plan.most_pairs_per_task =
      std::max(least_pairs_per_task,
               static_cast<std::uint64_t>(cpu_task_seconds * work.worker_speed));
  plan_for_cpus_beside_gpus(work, plan);

  const std::uint64_t share =
      divide_up(work.pairs_per_frame * std::max<std::uint64_t>(work.frames, 1),
                work.gpus * tasks_per_gpu);
  const auto most =
      static_cast<std::uint64_t>(seconds_of_gpu_task(work) * work.gpu_speed);
  plan.most_pairs_per_gpu_task =
      std::clamp(share, std::min(least_pairs_per_gpu_task, most), most);
  const std::uint64_t pieces =
      divide_up(work.pairs_per_frame, plan.most_pairs_per_gpu_task);
  if (work.frames == 1 && pieces > 1) {  // as many for each worker of each GPU
    const std::uint64_t together = work.gpus * work.streams_per_gpu;
    plan.most_pairs_per_gpu_task =
        divide_up(work.pairs_per_frame, divide_up(pieces, together) * together);
  }

  plan.frames_per_batch = divide_up(plan.most_pairs_per_gpu_task,
                                    std::max<std::uint64_t>(work.pairs_per_frame, 1));
  // A block ends with a batch: all of equal size leave no small one.
  const std::uint64_t block = std::max<std::uint64_t>(work.frames_per_block, 1);
  plan.frames_per_batch = divide_up(block, divide_up(block, plan.frames_per_batch));
  const std::uint64_t frames_per_gpu = divide_up(work.frames, 4 * work.gpus);
  plan.frames_per_batch = std::clamp<std::uint64_t>(
      plan.frames_per_batch, 1, std::max<std::uint64_t>(frames_per_gpu, 1));
}

/// GPUs go on with new batches while CPU workers are busy with earlier ones.
std::uint64_t batches_of_cpus(const WorkEstimate& work, const BatchPlan& plan) {
  if (plan.cpu_share == 0.0) {
    return 0;
  }
  constexpr double most = 64.0;
  const double batches = seconds_until_cpus_are_done(work, plan) /
                         seconds_of_gpus(work, plan.frames_per_batch);
  return 1 + static_cast<std::uint64_t>(std::min(batches, most));
}

std::uint64_t batches_in_flight(const WorkEstimate& work, const BatchPlan& plan) {
  const std::uint64_t batch_pairs = work.pairs_per_frame * plan.frames_per_batch;
  if (work.gpus > 0) {
    const double speed = static_cast<double>(work.gpus) * work.gpu_speed +
                         static_cast<double>(work.workers) * work.worker_speed;
    const double batches = gpu_tasks_in_flight * seconds_of_gpu_task(work) * speed /
                           static_cast<double>(std::max<std::uint64_t>(batch_pairs, 1));
    constexpr double most_batches = 256;
    return 2 + static_cast<std::uint64_t>(std::min(batches, most_batches));
  }
  const std::uint64_t tasks_per_batch = std::max<std::uint64_t>(
      {work.pair_kinds, batch_pairs / plan.most_pairs_per_task, 1});
  return 1 + divide_up(queued_tasks_per_worker * work.workers, tasks_per_batch);
}

/// StarPU counts the elements of a vector in 32 bits.
constexpr double most_coordinates = 4294967295.0;

std::uint64_t at_least_one(double number) {
  return static_cast<std::uint64_t>(std::clamp(number, 1.0, 1e18));
}

/// StarPU takes memory in chunks of 32 MiB, needs some room to move, and waits for ever
/// for what it does not get.
double usable_gpu_memory(std::uint64_t bytes) {
  constexpr double chunks = 64.0 * (1U << 20U);
  return 0.8 * static_cast<double>(bytes) - chunks;
}

void limit_batches(std::uint64_t most, BatchPlan& plan) {
  plan.batches_in_flight = std::min(plan.batches_in_flight, most);
  plan.batches_of_cpus = std::min(plan.batches_of_cpus, most - plan.batches_in_flight);
}

/// Each stream of a GPU holds its replica of the counts of each open block, another is
/// there while these are added up, and the positions of the batches in flight.
void fit_into_gpu(std::uint64_t memory, double block_bytes, double batch_bytes,
                  BatchPlan& plan) {
  const double usable = usable_gpu_memory(memory);
  const double least = block_bytes + 2.0 * batch_bytes;
  if (least > usable) {
    throw InputError("a GPU with " + gibibytes(static_cast<double>(memory)) +
                     " of free memory cannot take part in this run, which needs " +
                     gibibytes(static_cast<double>(memory) + (least - usable) / 0.8) +
                     " there (STARPU_NCUDA=0 leaves the GPUs out; or use fewer bins or "
                     "pairs)");
  }
  const double spare = usable - least;
  plan.open_blocks = std::min<std::uint64_t>(
      plan.open_blocks, 1 + static_cast<std::uint64_t>(0.5 * spare / block_bytes));
  limit_batches(
      2 + static_cast<std::uint64_t>(0.5 * spare / std::max(batch_bytes, 1.0)), plan);
}

}  // namespace

double cpu_share(const WorkEstimate& work) {
  // Tasks beside GPUs are cut in ways that cost a CPU some of its speed.
  constexpr double usual = 0.85;
  constexpr double caution = 0.5;
  const double cpu_speed = static_cast<double>(work.workers) * work.worker_speed;
  const double gpu_speed = static_cast<double>(work.gpus) * work.gpu_speed;
  return (work.speeds_known ? usual : caution) * cpu_speed / (cpu_speed + gpu_speed);
}

BatchPlan plan_batches(const WorkEstimate& work, std::uint64_t memory_bytes,
                       std::uint64_t most_pairs_per_task) {
  BatchPlan plan;
  plan.clustered = work.clustered;
  if (work.gpus > 0) {
    plan_for_gpus(work, plan);
  } else {
    plan_for_cpus(work, plan);
  }
  if (most_pairs_per_task != 0) {
    plan.most_pairs_per_task = most_pairs_per_task;
    plan.most_pairs_per_gpu_task = work.gpus > 0 ? most_pairs_per_task : 0;
  }
  // Counts of a block: one replica per worker, the sum, and the copy that is written.
  const double counts_bytes =
      8.0 * static_cast<double>(work.bins + 1) * static_cast<double>(work.pair_kinds);
  const double block_bytes =
      static_cast<double>(work.workers + work.gpus * work.streams_per_gpu + 2) *
      counts_bytes;
  const double private_bytes =
      4.0 * static_cast<double>(work.bins + 33) *
      static_cast<double>(work.workers * work.threads_per_worker);
  const double memory = static_cast<double>(memory_bytes);
  // A batch is held twice while it is submitted, and two frames wait in the reader.
  // Doubles, so that absurd sizes cannot wrap around.
  constexpr double slice_bytes = 600.0;  // of a frame and species pair in a task
  // As read, in spatial order, and what GPUs keep to sort and for clusters.
  constexpr double scratch = 2.5;
  const auto streams = static_cast<double>(work.streams_per_gpu);
  const double copies = !work.clustered  ? 1.0
                        : work.gpus == 0 ? 2.0
                                         : 2.0 + scratch * streams;
  const double frame_bytes = copies * 24.0 * static_cast<double>(work.particles) +
                             slice_bytes * static_cast<double>(work.pair_kinds);
  const double most_batch_bytes =
      std::min((memory - private_bytes - block_bytes) / 16.0,
               work.gpus > 0 ? usable_gpu_memory(work.gpu_memory) / 8.0 : memory);
  const double coordinates =
      3.0 * static_cast<double>(std::max<std::uint64_t>(work.particles, 1));
  plan.frames_per_batch =
      std::min({plan.frames_per_batch, at_least_one(most_batch_bytes / frame_bytes),
                at_least_one(most_coordinates / coordinates)});
  plan.batches_in_flight = batches_in_flight(work, plan);
  plan.batches_of_cpus = batches_of_cpus(work, plan);
  const double batch_bytes = frame_bytes * static_cast<double>(plan.frames_per_batch);
  const double least = private_bytes + block_bytes + 4.0 * batch_bytes;
  if (least > memory) {
    throw InputError("this run needs at least " + gibibytes(least) +
                     " of memory, --memory allows " + gibibytes(memory) +
                     " (raise it, or use fewer bins, pairs or workers)");
  }
  const auto affordable = [&](double bytes_each, double budget) {
    return static_cast<std::uint64_t>(
        std::clamp(budget / std::max(bytes_each, 1.0), 0.0, 1e6));
  };
  const double spare = memory - least;
  limit_batches(1 + affordable(batch_bytes, 0.5 * spare), plan);
  plan.open_blocks = std::min(1 + plan.batches_in_flight + plan.batches_of_cpus,
                              1 + affordable(block_bytes, 0.5 * spare));
  if (work.gpus > 0) {
    fit_into_gpu(work.gpu_memory, (streams + 1.0) * counts_bytes, batch_bytes, plan);
  }
  plan.bytes = static_cast<std::uint64_t>(
      private_bytes + static_cast<double>(plan.open_blocks) * block_bytes +
      static_cast<double>(plan.batches_in_flight + plan.batches_of_cpus + 3) *
          batch_bytes);
  return plan;
}

}  // namespace starhist::tasks
