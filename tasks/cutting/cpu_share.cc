#include "tasks/cutting/cpu_share.hh"

#include <algorithm>
#include <cmath>

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
  budget_.share = std::min(budget_.share, pairs_of_a_round(columns)) +
                  plan_.cpu_share * static_cast<double>(pairs);
  budget_.gpus_only = frames_ > 0 && plan_.last_frames_for_gpus > 0 &&
                      frames_passed_ + plan_.last_frames_for_gpus >= frames_;
  budget_.room =
      budget_.gpus_only ? 0.0 : room_for_pairs(pairs, columns, frames.size());
  return budget_;
}

double CpuShare::pairs_of_a_round(std::uint64_t columns) const {
  return static_cast<double>(cpu_task_pairs(plan_, columns) *
                             std::max<std::uint64_t>(workers_, 1));
}

/// Pairs in new tasks that CPU workers may receive: each worker has two tasks, one of
/// which waits, and those that it finishes while other workers count the batches in
/// flight. In the last batch each worker gets one task less than it could finish.
double CpuShare::room_for_pairs(std::uint64_t pairs, std::uint64_t columns,
                                std::uint64_t frames) const {
  constexpr double tasks_per_worker = 2.0;
  constexpr double memory_bound = 0.9;  // many columns and few rows are slower
  const double round = pairs_of_a_round(columns);
  const double rounds =
      std::floor(memory_bound * plan_.cpu_share * static_cast<double>(pairs) / round);
  const auto in_flight = static_cast<double>(pairs_in_flight_.load());
  const auto room = [&](double tasks) {
    return std::max(tasks * round - in_flight, 0.0);
  };
  return frames_passed_ + frames < frames_
             ? room(tasks_per_worker +
                    rounds * static_cast<double>(plan_.batches_in_flight))
             : std::max(room(tasks_per_worker), (rounds - 1.0) * round);
}

std::uint64_t CpuShare::further_batches() const noexcept {
  return std::min(batches_, plan_.batches_of_cpus);
}

}  // namespace starhist::tasks
