#pragma once

#include <cstdint>

#include "tasks/planning/batch_plan.hh"
#include "tasks/planning/counting_speeds.hh"
#include "tasks/planning/workload.hh"

namespace starhist::tasks {

/// A core counts about a pair per nanosecond: 1 ms of work.
inline constexpr std::uint64_t least_pairs_per_task = 1'000'000;

/// Share of the pairs that CPU workers count alongside GPUs [0, 1): their share of the
/// speed, less if it was measured without GPUs, and least if it is only guessed.
double cpu_share(const CountingSpeeds& speeds);

/// Approximate number of pairs of a CPU task alongside GPUs, if the second species has
/// `columns` particles: such a task needs enough rows.
std::uint64_t cpu_task_pairs(const BatchPlan& plan, std::uint64_t columns);

/// Sets the fields for CPU workers alongside GPUs: most_pairs_per_task, cpu_share and
/// last_frames_for_gpus. They get no share below 5 % of the speed, or in a run so short
/// that GPUs would wait for them at the end.
void plan_cpu_share(const Workload& work, const CountingSpeeds& speeds,
                    BatchPlan& plan);

/// Value for BatchPlan::batches_of_cpus: enough for GPUs to continue with new batches
/// while CPU workers are busy with earlier ones. The share and frames_per_batch must be
/// planned.
std::uint64_t batches_of_cpus(const Workload& work, const CountingSpeeds& speeds,
                              const BatchPlan& plan);

}  // namespace starhist::tasks
