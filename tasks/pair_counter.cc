#include "tasks/pair_counter.hh"

#include <algorithm>
#include <iterator>
#include <utility>

#include "codelets/core/base/contract.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/counting/frame_facts.hh"
#include "codelets/count_pairs_cuda.hh"
#include "tasks/collection/pending_block.hh"
#include "tasks/positions/batch_copies.hh"
#include "tasks/runtime/check.hh"
#include "tasks/runtime/simulation.hh"
#include "tasks/submission/batch_submitter.hh"

namespace starhist::tasks {
namespace {

/// True if both frames may be in one batch.
bool share_batch(const Frame& a, const Frame& b) {
  return a.box.kind() == b.box.kind() &&
         (a.on_gpu ? a.on_gpu->gpu : -1) == (b.on_gpu ? b.on_gpu->gpu : -1);
}

}  // namespace

PairCounter::PairCounter(Runtime& runtime, const HistogramLayout& layout,
                         const CountingOptions& options, BlockSink sink,
                         PairExclusions exclusions)
    : runtime_(runtime),
      layout_(layout),
      exclusions_(std::move(exclusions)),
      options_(options),
      sink_(std::move(sink)),
      status_(runtime.workers().size()),
      memory_(runtime.cuda_workers() > 0),
      cpu_share_(runtime.cpu_workers(), options.frames),
      planner_(runtime, layout_, exclusions_, options_, cpu_share_),
      cutter_(layout_, exclusions_, planner_.labels(), cpu_share_),
      copies_(std::make_unique<BatchCopies>(runtime, layout_, exclusions_,
                                            planner_.labels(), memory_)),
      submitter_(std::make_unique<BatchSubmitter>(
          runtime, layout_, exclusions_, planner_.labels(), memory_, status_,
          cpu_share_,
          BatchEvents{
              [this] { monitor_.update([this] { cpu_share_.batch_left_to_cpus(); }); },
              [this] {
                monitor_.update([this] {
                  --batches_in_flight_;
                  cpu_share_.batch_ended();
                });
              }})),
      begun_(options.begun_block),
      counted_(options.begun_block),
      next_number_(options.first_number),
      block_(options.first_number / options.frames_per_block) {
  STARHIST_EXPECT(options.frames_per_block >= 1, "a block has at least one frame");
  STARHIST_EXPECT(sink_ != nullptr, "blocks need a sink");
  if (options.record_tasks) {
    status_.keep_records();
  }
}

PairCounter::~PairCounter() {
  status_.stop();
  starpu_task_wait_for_all();
  // A block's reduction may still be running, and its callback refers to the block.
  monitor_.wait_until([this] {
    return std::all_of(parts_.begin(), parts_.end(), [](const Part& part) {
      return part.pending->complete() || !part.pending->closed();
    });
  });
}

/// True if the frame can be counted in one batch with the waiting frames.
bool PairCounter::joins_batch(const Frame& frame) const {
  return batch_.empty() ||
         (share_batch(batch_.front(), frame) && planner_.covers(frame));
}

void PairCounter::add(Frame&& frame, std::uint64_t number, RowPart rows) {
  add_part(std::move(frame), number, rows, false);
}

void PairCounter::add_rows(std::uint64_t number, RowPart rows) {
  submit_batch();  // the frame is or was in this batch
  if (!divided_) {
    throw InternalError("no earlier frame is available to count other rows of");
  }
  add_part(*std::exchange(divided_, {}), number, rows, true);
}

void PairCounter::add_part(Frame&& frame, std::uint64_t number, RowPart rows,
                           bool same_frame) {
  // If this frame ends a block, the batch is empty below, and every frame may join it.
  const bool joins = joins_batch(frame);
  STARHIST_EXPECT(number >= next_number_, "numbers of frames must ascend");
  STARHIST_EXPECT(rows.number < rows.count, "a part is one of count parts");
  STARHIST_EXPECT((frame.on_gpu ? frame.on_gpu->counts.size()
                                : frame.positions.size()) == layout_.species.size(),
                  "a frame has the species of the layout");
  if (frame.on_gpu && layout_.exclusion != Exclusion::none) {
    throw InternalError("pairs of particles on a GPU are to be excluded");
  }
  const FrameFacts facts = facts_of(layout_, exclusions_, frame);
  const std::uint64_t block = number / options_.frames_per_block;
  if (block_begun() && block != block_) {
    end_block();
  }
  const bool has_pairs = facts.work > 0;
  std::optional<Frame> divided;
  if (has_pairs) {
    if (!joins) {
      submit_batch();
    }
    batch_.push_back(std::move(frame));
    plan_batch(rows);
  } else {
    cpu_share_.pass_frames(1);  // a frame without pairs needs no task
    if (!rows.all()) {
      divided = std::move(frame);
    }
  }
  block_ = block;
  if (!part_open_) {
    open_part();
  }
  rows_ = rows;
  same_frame_ = same_frame;
  divided_ = std::move(divided);
  parts_.back().all_rows = rows.all();
  parts_.back().pending->add_frame(facts, rows);
  next_number_ = number + 1;
  submit_if_copied();
  const bool block_full = next_number_ % options_.frames_per_block == 0;
  if (!block_full && has_pairs && batch_.size() >= planner_.frames_of_batch(batches_)) {
    submit_batch();
  }
  if (block_full) {
    end_block();
  }
  if (batch_.empty()) {  // not for each of many small frames: it takes a lock
    deliver();
  }
}

/// Plans for the first frame of the batch unless the plan covers it. A frame that
/// cannot be counted leaves the batch, so that a caller who continues counts the
/// others.
void PairCounter::plan_batch(RowPart rows) {
  if (planner_.covers(batch_.front())) {
    return;
  }
  try {
    planner_.plan_for(batch_.front(), rows);
  } catch (...) {
    batch_.clear();
    throw;
  }
}

/// Positions for GPUs are copied while the previous batch is submitted and frames of
/// the next one arrive. The parts of a divided frame share their copy.
bool PairCounter::begins_ahead(const Frame& frame) const {
  return runtime_.cuda_workers() > 0 && rows_.all() && !frame.on_gpu;
}

void PairCounter::submit_batch() {
  if (batch_.empty()) {
    return;
  }
  const auto has_room = [this] {
    return batches_in_flight_ <
           plan()->batches_in_flight + cpu_share_.further_batches();
  };
  bool at_once = false;
  monitor_.update([&] { at_once = has_room(); });
  if (!at_once) {
    submit_begun();  // it is one of the batches in flight
    status_.rethrow_error();
    monitor_.wait_until(has_room);
  }
  status_.rethrow_error();
  monitor_.update([this] { ++batches_in_flight_; });
  planner_.follow_speeds(batch_.front(), rows_);
  if (begun_batch_) {
    begun_batch_->batch->wait_for_copy();
  }
  bool ahead = begins_ahead(batch_.front());
  if (ahead && planner_.is_large(batch_.front())) {
    // The next frame may be late, and idle GPUs would wait for it.
    monitor_.update([&] { ahead = batches_in_flight_ > 1; });
  }
  // Empty the batch first: a batch that failed must not be submitted again.
  Begun next{copies_->begin(std::exchange(batch_, {}), rows_, same_frame_, *plan()),
             &parts_.back()};
  ++batches_;
  batch_.reserve(planner_.frames_of_batch(batches_));  // a frame is large to move
  // While the positions are copied.
  submitter_->prepare(next.batch->frames.front(), next.batch->plan);
  cutter_.prepare(next.batch->frames.front(), next.batch->plan);
  submit_begun();
  begun_batch_ = std::move(next);
  if (!ahead) {
    submit_begun();
  }
}

void PairCounter::submit_if_copied() {
  if (begun_batch_ && begun_batch_->batch->is_copied()) {
    submit_begun();
  }
}

/// Submits the batch that was begun, if there is one.
void PairCounter::submit_begun() {
  if (!begun_batch_) {
    return;
  }
  const Begun begun = *std::exchange(begun_batch_, {});
  try {
    BegunBatch& batch = *begun.batch;
    const std::shared_ptr<PreparedPositions> positions = copies_->take(batch);
    submitter_->submit(
        batch, positions,
        cutter_.cut(batch.frames, batch.rows, positions->positions.bounds, batch.plan),
        *begun.part->pending);
  } catch (...) {
    // A caller that continues must not wait for the part, which is never closed.
    status_.fail(std::current_exception());
    throw;
  }
  std::vector<Frame>& frames = begun.batch->frames;
  cpu_share_.pass_frames(frames.size());
  if (!begun.batch->rows.all()) {
    divided_ = std::move(frames.front());
    frames.clear();
  }
  for (Frame& frame : frames) {
    frame.on_gpu.reset();  // GPU memory is not reused
  }
  if (used_.empty()) {
    used_ = std::move(frames);
  } else {
    std::move(frames.begin(), frames.end(), std::back_inserter(used_));
  }
  if (begun.part->to_be_closed) {
    begun.part->pending->close();
  }
}

void PairCounter::open_part() {
  // No part has had a task before there is a plan, so all are complete.
  wait_until_parts(plan() ? plan()->open_blocks - 1 : 0);
  const BlockCounts begun =
      begun_ ? *std::exchange(begun_, {}) : empty_block(layout_, BlockIndex(block_));
  parts_.emplace_back().pending = std::make_unique<PendingBlock>(
      layout_, exclusions_, planner_.labels(), begun, memory_, monitor_);
  part_open_ = true;
}

void PairCounter::close_part(bool ends_block, PartSink sink) {
  submit_batch();
  Part& part = parts_.back();
  if (!ends_block) {
    begun_ = part.pending->sums();
  }
  part.ends_block = ends_block;
  part.sink = std::move(sink);
  part.next_number = next_number_;
  if (!ends_block) {
    submit_begun();
  }
  if (begun_batch_ && begun_batch_->part == &part) {
    part.to_be_closed = true;
  } else {
    part.pending->close();
  }
  part_open_ = false;
}

void PairCounter::end_block() {
  if (!part_open_) {
    open_part();
  }
  close_part(true, {});
}

void PairCounter::close_block() {
  if (block_begun()) {
    end_block();
    submit_begun();
  }
  deliver();
}

void PairCounter::end_part(PartSink sink) {
  if (part_open_) {
    close_part(false, std::move(sink));
  }
  deliver();
}

void PairCounter::deliver() {
  submit_if_copied();
  while (!parts_.empty()) {
    bool ready = false;
    monitor_.update([&] { ready = parts_.front().pending->complete(); });
    if (!ready) {
      return;
    }
    status_.rethrow_error();
    const Part part = std::move(parts_.front());
    parts_.pop_front();
    BlockCounts counts = part.pending->take();
    if (counted_) {
      add_counts(*counted_, counts);
      counted_.reset();
    }
    if (part.all_rows && !simulated()) {
      check_conservation(counts);
    }
    if (part.ends_block) {
      sink_(std::move(counts));
    } else {
      counted_ = std::move(counts);
      part.sink(*counted_, part.next_number);
    }
  }
}

void PairCounter::wait_until_parts(std::size_t most_open) {
  while (parts_.size() > most_open) {
    if (!parts_.front().pending->closed()) {
      submit_begun();
      status_.rethrow_error();
    }
    monitor_.wait_until([this] { return parts_.front().pending->complete(); });
    deliver();
  }
}

void PairCounter::finish() {
  if (block_begun()) {
    end_block();
  }
  wait_for_all();
}

void PairCounter::pause(PartSink sink) {
  end_part(std::move(sink));
  wait_for_all();
}

void PairCounter::wait_for_all() {
  wait_until_parts(0);
  check_starpu(starpu_task_wait_for_all(), "wait for its tasks");
  status_.rethrow_error();
  if (runtime_.cuda_workers() > 0) {
    codelets::collect_skipped_pairs_of_gpus(status_);
  }
}

}  // namespace starhist::tasks
