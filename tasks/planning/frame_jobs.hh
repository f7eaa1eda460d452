#pragma once

#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/frame_slice.hh"
#include "tasks/planning/batch_bounds.hh"
#include "tasks/planning/batch_plan.hh"

namespace starhist::tasks {

/// Who may do a task.
enum class TaskTarget {
  any,
  cpu,  ///< so small that a GPU would idle
  gpu,  ///< too large for one core
};

/// A counting task to be.
struct CountJob {
  PairId pair;
  std::uint64_t pairs = 0;
  std::vector<codelets::FrameSlice> slices;
  TaskTarget target = TaskTarget::any;
};

/// Cuts batches of frames into tasks, as a BatchPlan says: a large species pair is
/// split by rows, frames with few pairs share a task. With GPUs most pairs go into
/// large tasks, and those that CPU workers can take into small ones.
class FrameJobs {
 public:
  explicit FrameJobs(const HistogramLayout& layout) : layout_(layout) {}

  /// The tasks of a batch, those with most pairs first. bounds[frame][species] are
  /// needed with GPUs only, as is `most_cpu_tasks`: more of Place::cpu would only wait.
  std::vector<CountJob> cut(const std::vector<Frame>& frames, const BatchBounds& bounds,
                            const BatchPlan& plan, std::uint64_t most_cpu_tasks);

 private:
  class Pair;
  void cut_for_cpus(const codelets::FrameSlice& slice, const BatchPlan& plan,
                    Pair& pair) const;
  void cut_for_gpus(const codelets::FrameSlice& slice, const BatchPlan& plan,
                    Pair& pair);

  const HistogramLayout& layout_;
  double cpu_credit_ = 0.0;     ///< pairs that CPU workers may still take
  std::uint64_t cpu_room_ = 0;  ///< tasks that they may still take
};

}  // namespace starhist::tasks
