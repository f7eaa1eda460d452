#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "tasks/planning/batch_plan.hh"

namespace starhist::tasks {

/// What CPU workers may take of a batch beside GPUs. Each task made for them is taken
/// from it.
struct CpuBudget {
  double pairs =
      0.0;  ///< that they may still take; the remainder is kept for later batches
  std::uint64_t tasks = 0;  ///< that may still be made for them
  bool gpus_only = false;   ///< the batch is one of the last, which GPUs alone count

  /// Takes a task's pairs, and its place among the tasks unless it has one; false, and
  /// nothing is taken, where that is too much.
  bool take(std::uint64_t task_pairs, bool new_task) {
    if ((new_task && tasks == 0) || pairs < static_cast<double>(task_pairs)) {
      return false;
    }
    tasks -= new_task ? 1 : 0;
    pairs -= static_cast<double>(task_pairs);
    return true;
  }
};

/// The share of CPU workers beside GPUs in the course of a run. CPU workers get new
/// tasks when they have nearly done the last ones, so that no GPU waits for them, and
/// none at the end of the run. Without GPUs it gives nothing and holds up nobody.
class CpuShare {
 public:
  /// `workers`: CPU workers. `frames`: of the whole run; 0: not known.
  CpuShare(std::uint64_t workers, std::uint64_t frames)
      : workers_(workers), frames_(frames) {}

  /// Goes by this plan from the next batch on.
  void follow(const BatchPlan& plan) { plan_ = plan; }
  /// True where the plan gives CPU workers a share of the pairs.
  bool wanted() const { return plan_.cpu_share > 0.0; }
  /// Replaces BatchPlan::cpu_share, as speeds become known [0, 1).
  void set_share(double share) { plan_.cpu_share = share; }

  /// What CPU workers get of the batch that is made into tasks next. Valid until the
  /// next call.
  CpuBudget& next_batch(const HistogramLayout& layout,
                        const std::vector<Frame>& frames);
  /// `count` more frames are submitted, or have no pair.
  void pass_frames(std::uint64_t count) { frames_passed_ += count; }

  /// A task that only CPU workers may do is submitted, or has ended. From any thread.
  void task_submitted() noexcept { ++tasks_; }
  void task_ended() noexcept { --tasks_; }

  /// Only tasks of CPU workers are left of a batch; such a batch has ended. From any
  /// thread, but one at a time: within CompletionMonitor::update().
  void batch_left_to_cpus() noexcept { ++batches_; }
  void batch_ended() noexcept { --batches_; }
  /// Batches that may be in flight beyond BatchPlan::batches_in_flight, as only CPU
  /// workers have to do with as many. Within CompletionMonitor::wait_until().
  std::uint64_t further_batches() const noexcept;

 private:
  std::uint64_t room_for_tasks(std::uint64_t pairs, std::uint64_t columns) const;

  std::uint64_t workers_;
  std::uint64_t frames_;
  std::uint64_t frames_passed_ = 0;
  BatchPlan plan_;
  CpuBudget budget_;
  std::atomic<std::uint64_t> tasks_{0};  ///< submitted and not ended
  std::uint64_t batches_ = 0;            ///< not ended, with tasks of CPU workers only
};

}  // namespace starhist::tasks
