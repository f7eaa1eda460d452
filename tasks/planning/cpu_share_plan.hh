#pragma once

#include <cstdint>

#include "tasks/planning/batch_plan.hh"
#include "tasks/planning/counting_speeds.hh"
#include "tasks/planning/workload.hh"

namespace starhist::tasks {

/// A core counts about a pair per nanosecond: 1 ms of work.
inline constexpr std::uint64_t least_pairs_per_task = 1'000'000;

/// Share of the pairs that CPU workers count beside GPUs [0, 1): as their speed is,
/// less while that is only guessed.
double cpu_share(const CountingSpeeds& speeds);

/// Pairs of a task of a CPU worker beside GPUs, about, where the second species has
/// `columns` particles: such a task needs enough rows.
std::uint64_t cpu_task_pairs(const BatchPlan& plan, std::uint64_t columns);

/// Sets what CPU workers get beside GPUs: most_pairs_per_task, cpu_share and
/// last_frames_for_gpus. They get nothing where they have less than 5 % of the speed,
/// or in a run so short that GPUs would wait for them in the end.
void plan_cpu_share(const Workload& work, const CountingSpeeds& speeds,
                    BatchPlan& plan);

/// BatchPlan::batches_of_cpus: enough that GPUs go on with new batches while CPU
/// workers are busy with earlier ones. The share and frames_per_batch must be planned.
std::uint64_t batches_of_cpus(const Workload& work, const CountingSpeeds& speeds,
                              const BatchPlan& plan);

}  // namespace starhist::tasks
