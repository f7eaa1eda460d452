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
  budget_.pairs = std::min(budget_.pairs, pairs_of_a_round(columns)) +
                  plan_.cpu_share * static_cast<double>(pairs);
  budget_.gpus_only = frames_ > 0 && plan_.last_frames_for_gpus > 0 &&
                      frames_passed_ + plan_.last_frames_for_gpus >= frames_;
  budget_.tasks = budget_.gpus_only ? 0 : room_for_tasks(pairs, columns, frames.size());
  return budget_;
}

double CpuShare::pairs_of_a_round(std::uint64_t columns) const {
  return static_cast<double>(cpu_task_pairs(plan_, columns) *
                             std::max<std::uint64_t>(workers_, 1));
}

/// Number of new tasks that CPU workers may receive: each worker has two tasks, one of
/// which waits, and those that it finishes while other workers count the batches in
/// flight. In the last batch all workers get equally many tasks, one less than they
/// could finish.
std::uint64_t CpuShare::room_for_tasks(std::uint64_t pairs, std::uint64_t columns,
                                       std::uint64_t frames) const {
  constexpr std::uint64_t tasks_per_worker = 2;
  constexpr double memory_bound = 0.9;  // many columns and few rows are slower
  const auto rounds = static_cast<std::uint64_t>(memory_bound * plan_.cpu_share *
                                                 static_cast<double>(pairs) /
                                                 pairs_of_a_round(columns));
  const auto room = [&](std::uint64_t of_each) {
    const std::uint64_t most = of_each * workers_;
    return most - std::min<std::uint64_t>(most, tasks_);
  };
  return frames_passed_ + frames < frames_
             ? room(tasks_per_worker + rounds * plan_.batches_in_flight)
             : std::max(room(tasks_per_worker),
                        (std::max<std::uint64_t>(rounds, 1) - 1) * workers_);
}

std::uint64_t CpuShare::further_batches() const noexcept {
  return std::min(batches_, plan_.batches_of_cpus);
}

}  // namespace starhist::tasks
