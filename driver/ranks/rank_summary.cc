#include "driver/ranks/rank_summary.hh"

#include <algorithm>
#include <numeric>

namespace starhist::driver {
namespace {

RankSummary summary_of(const RankWork& work) {
  RankSummary summary;
  summary.rank = work.rank;
  summary.host = work.host;
  summary.units = work.units;
  summary.pairs = work.result.pairs;
  summary.seconds = work.result.count_seconds;
  summary.waited_for_work = work.waited_for_work;
  summary.waited_for_reading = work.waited_for_reading;
  double busy = 0.0;
  for (const WorkerSummary& worker : work.result.workers) {
    busy += worker.busy_seconds;
  }
  const double all =
      work.result.count_seconds * static_cast<double>(work.result.workers.size());
  summary.busy = all > 0.0 ? busy / all : 0.0;
  return summary;
}

}  // namespace

void add_ranks(const std::vector<RankWork>& ranks, RunResult& result) {
  for (const RankWork& work : ranks) {
    const RunResult& own = work.result;
    result.pairs += own.pairs;
    result.skipped_pairs += own.skipped_pairs;
    result.repeated_tasks += own.repeated_tasks;
    result.bytes_moved += own.bytes_moved;
    result.count_seconds = std::max(result.count_seconds, own.count_seconds);
    result.predictions.tasks += own.predictions.tasks;
    result.predictions.error += own.predictions.error;
    result.predictions.absolute_error += own.predictions.absolute_error;
    result.predictions.seconds += own.predictions.seconds;
    result.predictions.absolute_seconds += own.predictions.absolute_seconds;
    result.lags.add(own.lags);
    result.extents.add(own.extents);
    const auto first_worker = static_cast<int>(result.workers.size());
    for (codelets::TaskRecord task : own.tasks) {
      task.worker += first_worker;
      result.tasks.push_back(std::move(task));
    }
    for (WorkerSummary worker : own.workers) {
      if (ranks.size() > 1) {
        worker.name = "rank " + std::to_string(work.rank) + " " + worker.name;
      }
      result.workers.push_back(std::move(worker));
    }
    if (ranks.size() > 1) {
      result.ranks.push_back(summary_of(work));
    }
  }
}

std::uint64_t window_of(const HistogramLayout& layout, std::uint64_t memory_bytes,
                        const std::vector<std::uint64_t>& most_in_hand) {
  const std::uint64_t columns = 1 + (layout.second ? layout.second->columns() : 0);
  return window_of(8 * layout.pairs.size() * (layout.bins.count * columns + 16),
                   memory_bytes, most_in_hand);
}

std::uint64_t window_of(std::uint64_t bytes_of_unit, std::uint64_t memory_bytes,
                        const std::vector<std::uint64_t>& most_in_hand) {
  constexpr std::uint64_t times_in_hand = 5;
  const std::uint64_t in_hand =
      std::accumulate(most_in_hand.begin(), most_in_hand.end(), std::uint64_t{0});
  return std::clamp<std::uint64_t>(
      memory_bytes / 16 / std::max<std::uint64_t>(bytes_of_unit, 1), in_hand,
      times_in_hand * in_hand);
}

}  // namespace starhist::driver
