#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "codelets/core/frame.hh"
#include "codelets/core/histogram.hh"
#include "tasks/block_in_flight.hh"
#include "tasks/frame_jobs.hh"
#include "tasks/runtime.hh"
#include "tasks/work_plan.hh"

namespace starhist {

/// Submits the tasks of a bundle of frames of one block: for every species pair one
/// task, or several when the pair is large; longest first.
class BundleSubmitter {
 public:
  /// `on_done` is called, in a StarPU thread, once per submitted bundle when its last
  /// task has ended. The arguments must live until then.
  BundleSubmitter(Runtime& runtime, const HistogramLayout& layout, RunStatus& status,
                  std::function<void()> on_done);

  /// Copies the positions into memory of StarPU's and submits. All frames must have
  /// boxes of one kind. Calls on_done at once if there is not a single pair.
  void submit(const std::vector<Frame>& frames, const WorkPlan& plan,
              BlockInFlight& block);

 private:
  struct Ticket;
  struct TaskTicket;
  std::uint64_t room_for_cpu_tasks(const WorkPlan& plan,
                                   const std::vector<Frame>& frames) const;
  void submit_job(const CountJob& job, const std::vector<DataHandle>& positions,
                  Geometry geometry, bool tiled, BlockInFlight& block, Ticket& ticket);
  static void task_ended(void* ticket) noexcept;

  Runtime& runtime_;
  const HistogramLayout& layout_;
  RunStatus& status_;
  std::function<void()> on_done_;
  std::vector<std::string> pair_names_;
  FrameJobs jobs_;
  std::uint64_t bundles_ = 0;
  std::atomic<std::uint64_t> cpu_tasks_{0};  ///< submitted and not ended
};

}  // namespace starhist
