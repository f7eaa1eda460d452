#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "tasks/planning/batch_plan.hh"

namespace starhist::tasks {

/// Pairs that CPU workers may take from a batch alongside GPUs. Each task made for them
/// reduces both numbers.
struct CpuBudget {
  double share = 0.0;      ///< left of their share; the rest is for later batches
  double room = 0.0;       ///< that they count before the batches in flight have ended
  bool gpus_only = false;  ///< the batch is one of the last, which only GPUs count

  /// Subtracts a task's pairs; returns false and subtracts nothing if they exceed the
  /// share or the room.
  bool take(std::uint64_t task_pairs) {
    const auto pairs = static_cast<double>(task_pairs);
    if (std::min(share, room) < pairs) {
      return false;
    }
    share -= pairs;
    room -= pairs;
    return true;
  }
};

/// The share of CPU workers alongside GPUs in the course of a run. CPU workers get new
/// tasks when they have nearly finished the last ones, so that no GPU waits for them,
/// and none at the end of the run. Without GPUs the budget is always empty and no batch
/// is delayed.
class CpuShare {
 public:
  /// `workers`: number of CPU workers. `frames`: of the whole run; 0: unknown.
  CpuShare(std::uint64_t workers, std::uint64_t frames)
      : workers_(workers), frames_(frames) {}

  /// Uses this plan from the next batch on.
  void follow(const BatchPlan& plan) { plan_ = plan; }
  /// True if the plan gives CPU workers a share of the pairs.
  bool wanted() const { return plan_.cpu_share > 0.0; }
  /// Replaces BatchPlan::cpu_share when measured speeds become available [0, 1).
  void set_share(double share) { plan_.cpu_share = share; }

  /// Budget of CPU workers in the next batch. Valid until the next call.
  CpuBudget& next_batch(const HistogramLayout& layout,
                        const std::vector<Frame>& frames);
  /// Records that `count` more frames are submitted or have no pairs.
  void pass_frames(std::uint64_t count) { frames_passed_ += count; }

  /// Record the pairs of a task for CPU workers only that was submitted, or that has
  /// ended. From any thread.
  void task_submitted(std::uint64_t pairs) noexcept { pairs_in_flight_ += pairs; }
  void task_ended(std::uint64_t pairs) noexcept { pairs_in_flight_ -= pairs; }

  /// Record that only tasks of CPU workers are left of a batch, or that such a batch
  /// has ended. From any thread, but one at a time: within CompletionMonitor::update().
  void batch_left_to_cpus() noexcept { ++batches_; }
  void batch_ended() noexcept { --batches_; }
  /// Number of batches that may be in flight beyond BatchPlan::batches_in_flight,
  /// because only CPU workers still work on as many. Within
  /// CompletionMonitor::wait_until().
  std::uint64_t further_batches() const noexcept;

 private:
  /// Pairs of one task for each CPU worker.
  double pairs_of_a_round(std::uint64_t columns) const;
  double room_for_pairs(std::uint64_t pairs, std::uint64_t columns,
                        std::uint64_t frames) const;

  std::uint64_t workers_;
  std::uint64_t frames_;
  std::uint64_t frames_passed_ = 0;
  BatchPlan plan_;
  CpuBudget budget_;
  /// Pairs of tasks for CPU workers only that were submitted and have not ended.
  std::atomic<std::uint64_t> pairs_in_flight_{0};
  std::uint64_t batches_ = 0;  ///< not ended, with tasks for CPU workers only
};

}  // namespace starhist::tasks
