#pragma once

#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "codelets/core/counting/row_part.hh"
#include "codelets/labelled/labelled_pairs.hh"
#include "codelets/run_status.hh"
#include "tasks/memory/pinned_pool.hh"
#include "tasks/planning/batch_plan.hh"
#include "tasks/planning/counting_options.hh"
#include "tasks/planning/cpu_share.hh"
#include "tasks/planning/workload.hh"
#include "tasks/runtime/completion_monitor.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::tasks {

class PendingBlock;
class BatchSubmitter;

/// Counts the pairs of frames as StarPU tasks and hands out the counts block by block.
///
/// Frames go in one by one and are numbered. Those with the numbers [k B, (k + 1) B)
/// are block k, where B is CountingOptions::frames_per_block. Blocks come out in order,
/// in the thread that calls add(), finish() and pause(), soon after their last task.
/// All members but cancel() are for one thread. After an exception only the destructor
/// may be called.
class PairCounter {
 public:
  /// Receives each block once. What it throws comes out of add() or finish().
  using BlockSink = std::function<void(BlockCounts&&)>;
  /// Receives the counts of a block that is not full, and the number of the frame that
  /// comes next: what a run that continues this one has to begin with
  /// (CountingOptions::begun_block and first_number).
  using PartSink = std::function<void(const BlockCounts&, std::uint64_t next_number)>;

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
  /// the sink throws. A frame on a GPU (Frame::on_gpu) is counted there, by StarPU's
  /// workers of this GPU alone, of which there must be one. It must not have an
  /// exclusion.
  void add(Frame&& frame) { add(std::move(frame), next_number_); }
  /// The same for the frame with this number, which is larger than those before: frames
  /// between are left out, also of their blocks. Blocks without frames do not come out.
  /// Of the frame only these rows are counted: it is the only frame of its block, and
  /// the sum rule holds for the sum of all parts.
  void add(Frame&& frame, std::uint64_t number, RowPart rows = {});
  /// The same for other rows of the frame that came last, of which add() has got a
  /// part. Its positions are neither copied nor sorted anew. Throws InternalError where
  /// there is no such frame.
  void add_rows(std::uint64_t number, RowPart rows);

  /// Ends the block of the last frame, so that the next frame has to be of another
  /// block, and hands blocks that are complete to the sink, without waiting. Throws
  /// what add() throws.
  void close_block();
  /// Hands blocks that are complete to the sink, without waiting.
  void deliver();

  /// Gives the counts of all frames so far to `sink`, as soon as they are there, if the
  /// last block is not full. Throws what add() throws.
  void end_part(PartSink sink);

  /// Frames whose tasks have been submitted since the last call. Their positions are
  /// copied, so that their memory may be used again. Frames that came in parts are not
  /// among them.
  std::vector<Frame> take_used_frames() { return std::exchange(used_, {}); }

  /// Submits the frames that wait, waits for all tasks, and hands out the remaining
  /// blocks, the last one even if it is not full. Throws what add() throws.
  void finish();
  /// Like finish(), but a last block that is not full goes to `sink` instead: for a run
  /// that another one will continue.
  void pause(PartSink sink);

  /// Makes tasks that have not begun do nothing, those of CPU workers that count pairs
  /// break off within milliseconds, and the functions above throw `why`. May be called
  /// from any thread.
  void cancel(std::exception_ptr why) noexcept { status_.fail(std::move(why)); }

  /// Work done so far and the first error; may be read while tasks run.
  const codelets::RunStatus& status() const { return status_; }
  /// The plan of the batches to come. It is made with the first frame that has a pair
  /// to count, and made anew for a frame with more than twice as many particles. Empty
  /// before the first of these frames.
  const std::optional<BatchPlan>& plan() const { return plan_; }

 private:
  void add_part(Frame&& frame, std::uint64_t number, RowPart rows, bool same_frame);
  void plan_for(const Frame& frame, RowPart rows);
  Workload workload(const Frame& frame) const;
  std::uint64_t frames_of_next_batch() const;
  void submit_batch();
  void update_cpu_share();
  void open_part();
  void close_part(bool ends_block, PartSink sink);
  void end_block();
  bool block_begun() const { return part_open_ || begun_; }
  void wait_until_parts(std::size_t most_open);
  void wait_for_all();

  Runtime& runtime_;
  const HistogramLayout layout_;
  const PairExclusions exclusions_;
  const CountingOptions options_;
  BlockSink sink_;
  codelets::RunStatus status_;
  CompletionMonitor monitor_;
  PinnedPool memory_;
  CpuShare cpu_share_;
  LabelledPairs labels_;  // constant from the first plan on
  std::unique_ptr<BatchSubmitter> submitter_;
  std::optional<BatchPlan> plan_;
  std::uint64_t planned_particles_ = 0;  // of the frame that plan_ was made for
  std::vector<Frame> batch_;             // not submitted yet
  RowPart rows_;                         // of batch_
  bool same_frame_ = false;              // as that of the batch before
  /// The last frame, if its rows are divided and it is not in batch_.
  std::optional<Frame> divided_;
  std::vector<Frame> used_;
  /// A block, or a part of one, that is being counted.
  struct Part {
    std::unique_ptr<PendingBlock> pending;
    bool ends_block = false;
    bool all_rows = true;
    PartSink sink;  // where it does not end the block
    std::uint64_t next_number = 0;
  };
  std::deque<Part> parts_;  // the last one may be open
  bool part_open_ = false;
  std::optional<BlockCounts>
      begun_;  // sums of the parts of a block without an open part
  std::optional<BlockCounts> counted_;  // by parts of the next block that comes out
  std::uint64_t next_number_;
  std::uint64_t block_ = 0;              // of the last frame
  std::uint64_t batches_ = 0;            // submitted
  std::uint64_t batches_in_flight_ = 0;  // of them not ended; guarded by monitor_
};

}  // namespace starhist::tasks
