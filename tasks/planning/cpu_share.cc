#include "tasks/planning/cpu_share.hh"

#include <algorithm>

#include "tasks/planning/cpu_share_plan.hh"

namespace starhist::tasks {

CpuBudget& CpuShare::next_batch(const HistogramLayout& layout,
                                const std::vector<Frame>& frames) {
  if (plan_.most_pairs_per_gpu_task == 0) {
    budget_ = {};
    return budget_;
  }
  std::uint64_t pairs = 0;
  std::uint64_t columns = 0;
  for (const Frame& frame : frames) {
    pairs += pair_count(layout, frame);
    for (std::uint32_t s = 0; s < layout.species.size(); ++s) {
      columns = std::max(columns, frame.particle_count(SpeciesId(s)));
    }
  }
  // Limit the pairs carried over from earlier batches that CPU workers had no time for.
  const double most_left_over = 2.0 * static_cast<double>(plan_.most_pairs_per_task);
  budget_.pairs = std::min(budget_.pairs, most_left_over) +
                  plan_.cpu_share * static_cast<double>(pairs);
  budget_.gpus_only = frames_ > 0 && plan_.last_frames_for_gpus > 0 &&
                      frames_passed_ + plan_.last_frames_for_gpus >= frames_;
  budget_.tasks = budget_.gpus_only ? 0 : room_for_tasks(pairs, columns);
  return budget_;
}

/// Number of new tasks that CPU workers may receive: each worker has two tasks, one of
/// which waits. In a batch that keeps all workers busy for long, the speeds decide: all
/// workers get equally many tasks, one less than they could finish.
std::uint64_t CpuShare::room_for_tasks(std::uint64_t pairs,
                                       std::uint64_t columns) const {
  constexpr std::uint64_t tasks_per_worker = 2;
  constexpr double memory_bound = 0.85;  // many columns and few rows are slower
  const std::uint64_t most = tasks_per_worker * workers_;
  const std::uint64_t few = most - std::min<std::uint64_t>(most, tasks_);
  const auto round = static_cast<double>(cpu_task_pairs(plan_, columns) *
                                         std::max<std::uint64_t>(workers_, 1));
  const double rounds = std::max(
      memory_bound * plan_.cpu_share * static_cast<double>(pairs) / round - 1.0, 0.0);
  return std::max(few, static_cast<std::uint64_t>(rounds) * workers_);
}

std::uint64_t CpuShare::further_batches() const noexcept {
  return std::min(batches_, plan_.batches_of_cpus);
}

}  // namespace starhist::tasks
