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
#include "codelets/run_status.hh"
#include "tasks/cutting/batch_cutter.hh"
#include "tasks/cutting/cpu_share.hh"
#include "tasks/memory/pinned_pool.hh"
#include "tasks/planning/batch_plan.hh"
#include "tasks/planning/counting_options.hh"
#include "tasks/run_planner.hh"
#include "tasks/runtime/completion_monitor.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::tasks {

class BatchCopies;
class BatchSubmitter;
class PendingBlock;
struct BegunBatch;

/// Counts the pairs of frames as StarPU tasks and delivers the counts block by block.
///
/// Frames are added one by one and are numbered. Frames [k B, (k + 1) B) form block k,
/// where B is CountingOptions::frames_per_block. Blocks are delivered in order, in the
/// thread that calls add(), finish() and pause(), soon after their last task. All
/// members except cancel() are for one thread. If add() throws InputError, the counter
/// holds the earlier frames, and finish() or pause() may follow; after other exceptions
/// only the destructor may be called.
class PairCounter {
 public:
  /// Receives each block once. add() or finish() rethrows its exceptions.
  using BlockSink = std::function<void(BlockCounts&&)>;
  /// Receives the counts of a block that is not full, and the number of the next frame.
  /// A run that continues this one starts with both (CountingOptions::begun_block and
  /// first_number).
  using PartSink = std::function<void(const BlockCounts&, std::uint64_t next_number)>;

  /// `exclusions` must have the same layout. They are required if the layout excludes
  /// pairs or species share particles; the default excludes nothing. The runtime must
  /// outlive this object.
  PairCounter(Runtime& runtime, const HistogramLayout& layout,
              const CountingOptions& options, BlockSink sink,
              PairExclusions exclusions = {});
  /// Turns tasks that have not started into no-ops, and waits for the others.
  ~PairCounter();
  PairCounter(const PairCounter&) = delete;
  PairCounter& operator=(const PairCounter&) = delete;

  /// Adds a frame with as many species as the layout. Submits its tasks at once, or
  /// together with later frames of its batch; with GPUs, also in a later call if other
  /// tasks are in flight or frames are small. Waits while enough tasks are in flight.
  /// Delivers complete blocks to the sink. Throws the first error of a task, InputError
  /// if the run does not fit into memory or the frame does not match the exclusions,
  /// and exceptions of the sink. A frame on a GPU (Frame::on_gpu) is counted only by
  /// that GPU's StarPU workers, of which there must be at least one. It must not have
  /// an exclusion.
  void add(Frame&& frame) { add(std::move(frame), next_number_); }
  /// Adds the frame with this number, which must exceed all earlier ones: skipped
  /// frames are missing from their blocks, too. Blocks without frames are not
  /// delivered. If `rows` is a part of the rows, only these are counted; the frame must
  /// then be alone in its block, and the sum rule holds for the sum of all parts.
  void add(Frame&& frame, std::uint64_t number, RowPart rows = {});
  /// Counts further rows of the last frame, of which add() received a part. Its
  /// positions are neither copied nor sorted again. Throws InternalError if there is no
  /// such frame.
  void add_rows(std::uint64_t number, RowPart rows);

  /// Ends the block of the last frame, so that the next frame must belong to another
  /// block, and delivers complete blocks to the sink without waiting. Throws like
  /// add().
  void close_block();
  /// Delivers complete blocks to the sink without waiting.
  void deliver();

  /// Unless the last block is full, delivers its counts so far to `sink` as soon as
  /// they are complete. Throws like add().
  void end_part(PartSink sink);

  /// Returns the frames whose tasks were submitted since the last call, except those
  /// added in parts. Their positions are copied, so their memory may be reused.
  std::vector<Frame> take_used_frames() { return std::exchange(used_, {}); }

  /// Submits waiting frames, waits for all tasks, and delivers the remaining blocks,
  /// including a last block that is not full. Throws like add().
  void finish();
  /// Like finish(), but delivers a last block that is not full to `sink`, for a run
  /// that will be continued.
  void pause(PartSink sink);

  /// Turns tasks that have not started into no-ops, makes counting tasks of CPU workers
  /// stop within milliseconds, and makes the functions above throw `why`. May be called
  /// from any thread.
  void cancel(std::exception_ptr why) noexcept { status_.fail(std::move(why)); }

  /// Work done so far and the first error. May be read while tasks run.
  const codelets::RunStatus& status() const { return status_; }
  /// Plan of the coming batches. It is made for the first frame that has a pair to
  /// count, again for a frame with more than twice as many particles, and once when the
  /// first tasks have measured the speed of GPUs without a model. Empty
  /// before the first of these frames.
  const std::optional<BatchPlan>& plan() const { return planner_.plan(); }

 private:
  void add_part(Frame&& frame, std::uint64_t number, RowPart rows, bool same_frame);
  bool joins_batch(const Frame& frame) const;
  void plan_batch(RowPart rows);
  void submit_batch();
  void submit_begun();
  void submit_if_copied();
  bool begins_ahead(const Frame& frame) const;
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
  RunPlanner planner_;
  BatchCutter cutter_;
  std::unique_ptr<BatchCopies> copies_;
  std::unique_ptr<BatchSubmitter> submitter_;
  std::vector<Frame> batch_;  // not begun yet
  RowPart rows_;              // rows of batch_
  bool same_frame_ = false;   // batch_ holds the frame of the previous batch
  /// The last frame, if its rows are divided and it is not in batch_.
  std::optional<Frame> divided_;
  std::vector<Frame> used_;
  /// A block, or a part of one, that is being counted.
  struct Part {
    std::unique_ptr<PendingBlock> pending;
    bool ends_block = false;
    bool all_rows = true;
    bool to_be_closed = false;  // after its last batch is submitted
    PartSink sink;              // unset for the last part of a block
    std::uint64_t next_number = 0;
  };
  std::deque<Part> parts_;  // the last one may be open
  bool part_open_ = false;
  /// The last batch while its positions are copied, and the part to which it belongs.
  struct Begun {
    std::unique_ptr<BegunBatch> batch;
    Part* part = nullptr;
  };
  std::optional<Begun> begun_batch_;
  std::optional<BlockCounts> begun_;  // sums of a block's earlier parts if none is open
  std::optional<BlockCounts> counted_;  // counted parts of the next block
  std::uint64_t next_number_;
  std::uint64_t block_ = 0;              // of the last frame
  std::uint64_t batches_ = 0;            // submitted
  std::uint64_t batches_in_flight_ = 0;  // not ended; guarded by monitor_
};

}  // namespace starhist::tasks
