#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "codelets/run_status.hh"
#include "tasks/memory/pinned_pool.hh"
#include "tasks/planning/batch_plan.hh"
#include "tasks/planning/counting_options.hh"
#include "tasks/planning/cpu_share.hh"
#include "tasks/runtime/completion_monitor.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::tasks {

class PendingBlock;
class BatchSubmitter;

/// Counts the pairs of frames as StarPU tasks and hands out the counts block by block.
///
/// Frames go in one by one, in the order of blocks. Blocks come out in order, in the
/// thread that calls add() and finish(), soon after their last task. All members are
/// for one thread. After an exception only the destructor may be called.
class PairCounter {
 public:
  /// Receives each block once. What it throws comes out of add() or finish().
  using BlockSink = std::function<void(BlockCounts&&)>;

  /// `exclusions` are of the same layout. They are needed where the layout excludes
  /// pairs or species share particles; the default excludes nothing. The runtime must
  /// live longer than this object.
  PairCounter(Runtime& runtime, const HistogramLayout& layout,
              const CountingOptions& options, BlockSink sink,
              PairExclusions exclusions = {});
  /// Lets the tasks that have not begun do nothing, and waits for the others.
  ~PairCounter();
  PairCounter(const PairCounter&) = delete;
  PairCounter& operator=(const PairCounter&) = delete;

  /// Takes a frame with as many species as the layout. Its tasks are submitted at once,
  /// or with those of later frames of its batch. Waits while enough is in flight. Hands
  /// blocks that are complete to the sink. Throws the first error of a task, InputError
  /// if the run does not fit into memory or the frame not to the exclusions, and what
  /// the sink throws.
  void add(Frame&& frame);

  /// Frames whose tasks have been submitted since the last call. Their positions are
  /// copied, so that their memory may be used again.
  std::vector<Frame> take_used_frames() { return std::exchange(used_, {}); }

  /// Submits the frames that wait, waits for all tasks, and hands out the remaining
  /// blocks, the last one even if it is not full. Throws what add() throws.
  void finish();

  /// Work done so far and the first error; may be read while tasks run.
  const codelets::RunStatus& status() const { return status_; }
  /// The plan of the batches to come. It is made with the first frame that has a pair
  /// to count, and made anew for a frame with more than twice as many particles. Empty
  /// before the first of these frames.
  const std::optional<BatchPlan>& plan() const { return plan_; }

 private:
  void plan_for(const Frame& frame);
  std::uint64_t frames_of_next_batch() const;
  void submit_batch();
  void update_cpu_share();
  void close_block();
  void deliver();
  void wait_until_blocks(std::size_t most_open);

  Runtime& runtime_;
  const HistogramLayout layout_;
  const PairExclusions exclusions_;
  const CountingOptions options_;
  BlockSink sink_;
  codelets::RunStatus status_;
  CompletionMonitor monitor_;
  PinnedPool memory_;
  CpuShare cpu_share_;
  std::unique_ptr<BatchSubmitter> submitter_;
  std::optional<BatchPlan> plan_;
  std::uint64_t planned_particles_ = 0;  // of the frame that plan_ was made for
  std::vector<Frame> batch_;             // not submitted yet
  std::vector<Frame> used_;
  std::deque<std::unique_ptr<PendingBlock>> blocks_;  // the last one may be open
  bool last_block_open_ = false;
  std::uint64_t next_block_;
  std::uint64_t batches_ = 0;            // submitted
  std::uint64_t batches_in_flight_ = 0;  // of them not ended; guarded by monitor_
};

}  // namespace starhist::tasks
