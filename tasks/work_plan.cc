#include "tasks/work_plan.hh"

#include <algorithm>
#include <sstream>

#include "codelets/core/error.hh"

namespace starhist {
namespace {

/// A core counts about a pair per nanosecond: 1 ms of work.
constexpr std::uint64_t least_pairs_per_task = 1'000'000;
/// About 1 s: progress stays visible, and a run can be interrupted.
constexpr std::uint64_t most_pairs_per_core_task = 1'000'000'000;
/// With so many tasks per worker the last one to finish costs 1 to 2 %.
constexpr std::uint64_t tasks_per_worker = 64;
/// Tasks waiting for each worker, so that none runs dry while a frame is submitted.
constexpr std::uint64_t queued_tasks_per_worker = 4;

std::uint64_t divide_up(std::uint64_t n, std::uint64_t size) {
  return (n + size - 1) / size;
}

std::string gibibytes(double bytes) {
  std::ostringstream text;
  text.precision(3);
  text << bytes / (1ULL << 30U) << " GiB";
  return text.str();
}

}  // namespace

WorkPlan plan_work(const WorkEstimate& work, std::uint64_t memory_bytes,
                   std::uint64_t most_pairs_per_task) {
  WorkPlan plan;
  const std::uint64_t share = work.pairs_per_frame *
                              std::max<std::uint64_t>(work.frames, 1) /
                              (work.workers * tasks_per_worker);
  plan.most_pairs_per_task =
      most_pairs_per_task != 0
          ? most_pairs_per_task
          : std::clamp(share, 2 * least_pairs_per_task,
                       most_pairs_per_core_task * work.threads_per_worker);

  const std::uint64_t least_bundle =
      least_pairs_per_task * work.pair_kinds * work.threads_per_worker;
  plan.frames_per_bundle =
      divide_up(least_bundle, std::max<std::uint64_t>(work.pairs_per_frame, 1));
  // Not so large that some workers would get no bundle at all.
  const std::uint64_t frames_per_worker = divide_up(work.frames, 2 * work.workers);
  plan.frames_per_bundle = std::clamp<std::uint64_t>(
      plan.frames_per_bundle, 1, std::max<std::uint64_t>(frames_per_worker, 1));

  const std::uint64_t tasks_per_bundle =
      std::max(work.pair_kinds, work.pairs_per_frame * plan.frames_per_bundle /
                                    plan.most_pairs_per_task);
  plan.bundles_in_flight =
      1 + divide_up(queued_tasks_per_worker * work.workers, tasks_per_bundle);

  // A bundle is held twice while it is submitted, and two frames wait in the reader.
  // Doubles, so that absurd sizes cannot wrap around.
  const double bundle_bytes = 24.0 * static_cast<double>(work.particles) *
                              static_cast<double>(plan.frames_per_bundle);
  // Counts of a block: one replica per worker, the sum, and the copy that is written.
  const double counts_bytes =
      8.0 * static_cast<double>(work.bins + 1) * static_cast<double>(work.pair_kinds);
  const double block_bytes = static_cast<double>(work.workers + 2) * counts_bytes;
  const double private_bytes =
      4.0 * static_cast<double>(work.bins + 33) *
      static_cast<double>(work.workers * work.threads_per_worker);
  const double memory = static_cast<double>(memory_bytes);
  const double least = private_bytes + block_bytes + 4.0 * bundle_bytes;
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
  plan.bundles_in_flight =
      std::min(plan.bundles_in_flight, 1 + affordable(bundle_bytes, 0.5 * spare));
  plan.open_blocks =
      std::min(1 + plan.bundles_in_flight, 1 + affordable(block_bytes, 0.5 * spare));
  plan.bytes = static_cast<std::uint64_t>(
      private_bytes + static_cast<double>(plan.open_blocks) * block_bytes +
      static_cast<double>(plan.bundles_in_flight + 3) * bundle_bytes);
  return plan;
}

}  // namespace starhist
