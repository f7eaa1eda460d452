#include "tasks/submission/batch_submitter.hh"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "codelets/core/base/contract.hh"
#include "tasks/planning/frame_jobs.hh"
#include "tasks/planning/labelled_plan.hh"
#include "tasks/runtime/simulation.hh"
#include "tasks/submission/batch_positions.hh"
#include "tasks/submission/position_sorting.hh"
#include "tasks/submission/scratch_size.hh"
#include "tasks/submission/task_priority.hh"

namespace starhist::tasks {
namespace {

/// With GPUs some cores are free for copying; without, all cores count.
unsigned copying_threads(const Runtime& runtime) {
  const unsigned most = std::max(10U, 5 * static_cast<unsigned>(runtime.gpus()));
  return runtime.cuda_workers() > 0
             ? std::clamp(std::thread::hardware_concurrency() / 2, 1U, most)
             : 1;
}

PriorityRange priorities_of_scheduler() {
  return {starpu_sched_get_min_priority(), starpu_sched_get_max_priority()};
}

bool on_gpu(const std::vector<Frame>& frames) {
  return frames.front().on_gpu != nullptr;
}

/// Frees the memory after the submitted tasks have used it.
void release_sorted(PreparedPositions& prepared) {
  for (DataHandle& handle : prepared.sorted) {
    handle.release_after_use();
  }
}

PositionFacts facts_for(const BatchPlan& plan) {
  return plan.most_pairs_per_gpu_task == 0 ? PositionFacts::none
         : plan.clustered                  ? PositionFacts::bounds_and_contrasts
                                           : PositionFacts::bounds;
}

/// Runs `take` in another thread if there are GPUs. Without GPUs all cores count,
/// and the time of a simulated copy is added to simulated time only.
template <class Take>
std::future<BatchPositions> run_beside(const Runtime& runtime, const Take& take) {
  if (runtime.cuda_workers() > 0 && !simulated()) {
    try {
      return std::async(std::launch::async, take);
    } catch (const std::system_error&) {
      // The system refuses more threads.
    }
  }
  std::promise<BatchPositions> taken;
  taken.set_value(take());
  return taken.get_future();
}

/// A positive number that no other batch of this process has.
std::uint64_t next_batch_number() {
  static std::atomic<std::uint64_t> batches{0};
  return ++batches;
}

bool for_any_worker(const CountJob& job) {
  return job.target != TaskTarget::cpu;
}

}  // namespace

void BegunBatch::wait_for_copy() const {
  if (positions.valid()) {
    positions.wait();
  }
  const double wait = copied_at - seconds_now();
  if (simulated() && wait > 0.0) {
    sleep_for_seconds(wait);
  }
}

bool BegunBatch::is_copied() const {
  return positions.valid() &&
         positions.wait_for(std::chrono::seconds(0)) == std::future_status::ready &&
         (!simulated() || seconds_now() >= copied_at);
}

BatchSubmitter::BatchSubmitter(Runtime& runtime, const HistogramLayout& layout,
                               const PairExclusions& exclusions,
                               const LabelledPairs& labels, PinnedPool& memory,
                               codelets::RunStatus& status, CpuShare& cpu_share,
                               BatchEvents events)
    : runtime_(runtime),
      layout_(layout),
      exclusions_(exclusions),
      labels_(labels),
      memory_(memory),
      status_(status),
      cpu_share_(cpu_share),
      events_(std::move(events)),
      copying_threads_(copying_threads(runtime)),
      counting_tasks_(runtime, layout, status),
      compound_tasks_(layout, exclusions, runtime.threads_per_worker(), status),
      labelled_tasks_(layout, labels, runtime.threads_per_worker(), status) {}

std::unique_ptr<BegunBatch> BatchSubmitter::begin(std::vector<Frame>&& frames,
                                                  RowPart rows, bool same_frame,
                                                  const BatchPlan& plan) {
  STARHIST_EXPECT(!frames.empty(), "a batch has a frame");
  STARHIST_EXPECT(std::all_of(frames.begin(), frames.end(),
                              [&frames](const Frame& frame) {
                                return frame.box.kind() == frames.front().box.kind() &&
                                       (frame.on_gpu == nullptr) ==
                                           (frames.front().on_gpu == nullptr);
                              }),
                  "frames of a batch have boxes of one kind and are in one memory");
  STARHIST_EXPECT(rows.number < rows.count, "a part is one of count parts");
  STARHIST_EXPECT(!same_frame || frames.size() == 1, "a divided frame is a batch");
  auto batch = std::make_unique<BegunBatch>();
  batch->frames = std::move(frames);
  batch->rows = rows;
  batch->same_frame = same_frame;
  batch->plan = plan;
  if (same_frame || on_gpu(batch->frames)) {
    return batch;
  }
  if (!labels_.empty() && wanted_species_.empty()) {
    wanted_species_ = species_besides(layout_, exclusions_, labels_);
  }
  const PositionFacts facts = facts_for(plan);
  const auto take = [this, facts, &own = *batch] {
    return take_positions(own.frames, copying_threads_, memory_, facts,
                          own.plan.frames_per_batch, wanted_species_);
  };
  batch->positions = run_beside(runtime_, take);
  batch->copied_at = end_of_simulated_copies();
  prepare_first(*batch);
  return batch;
}

void BatchSubmitter::submit(BegunBatch& begun, PendingBlock& block) {
  STARHIST_EXPECT(!begun.frames.empty(), "a batch has a frame");
  begun.wait_for_copy();
  const std::vector<Frame>& frames = begun.frames;
  const RowPart rows = begun.rows;
  const BatchPlan& plan = begun.plan;
  batches_.remove_if([](const SubmittedBatch& batch) { return batch.ended(); });
  const std::shared_ptr<PreparedPositions> prepared = prepare(begun);
  const BatchPositions& positions = prepared->positions;
  TaskWorkers::Masks* const workers = workers_of(frames, plan);
  ClusterCostModel* const cost_model = cost_model_of(frames, plan);
  std::vector<CountJob> counting;
  if (on_gpu(frames)) {
    CpuBudget for_gpus_only{0.0, 0.0, true};
    counting = cut_frames(layout_, {}, frames, rows, positions.bounds, plan,
                          for_gpus_only, cost_model);
  } else if (!counts_only_same(layout_.exclusion)) {
    counting = cut_frames(layout_, labels_, frames, rows, positions.bounds, plan,
                          cpu_share_.next_batch(layout_, frames), cost_model);
  }
  const bool first_rows = rows.number == 0;
  const std::vector<CompoundJob> compounds =
      first_rows ? cut_compounds_for_tasks(frames, plan, block)
                 : std::vector<CompoundJob>();
  const auto for_any = static_cast<std::size_t>(
      std::count_if(counting.begin(), counting.end(), for_any_worker));
  if (for_any == 0) {
    events_.left_to_cpus();
  }
  const std::vector<std::uint64_t> labelled = first_rows && !on_gpu(frames)
                                                  ? pairs_of_groups(frames)
                                                  : std::vector<std::uint64_t>();
  const auto labelled_tasks =
      labelled.size() -
      static_cast<std::size_t>(std::count(labelled.begin(), labelled.end(), 0));
  if (counting.empty() && compounds.empty() && labelled_tasks == 0) {
    events_.ended();
    return;
  }
  if (prepared->sorted.empty()) {
    prepared->sorted = submit_all_sorting(
        frames, plan, positions, workers == nullptr ? nullptr : &workers->sorting);
  }
  std::optional<LabelledPositions> with_labels;
  if (labelled_tasks > 0) {
    with_labels = take_labelled_positions(frames, labels_, memory_);
  }
  SubmittedBatch& batch =
      batches_.emplace_back(prepared, std::move(with_labels),
                            counting.size() + compounds.size() + labelled_tasks,
                            for_any, status_, cpu_share_, events_);
  const PriorityRange priorities = priorities_of_scheduler();
  for (const CompoundJob& job : compounds) {
    compound_tasks_.submit(job, task_priority(submitted_, job.pairs(), priorities),
                           block, batch);
  }
  for (std::size_t group = 0; group < labelled.size(); ++group) {
    if (labelled[group] > 0) {
      labelled_tasks_.submit(group, labelled[group],
                             task_priority(submitted_, labelled[group], priorities),
                             block, batch);
    }
  }
  OrderedPositions ordered{
      &batch.positions(),
      perfmodels::geometry_of(frames.front().box, layout_.bins.r_max),
      nullptr,
      scratch_.get(),
      workers == nullptr ? nullptr : &workers->counting,
      next_batch_number()};
  if (plan.clustered) {
    ordered.handles = &prepared->sorted;
    ordered.cost_model = cost_model;
  }
  for (const CountJob& job : counting) {
    counting_tasks_.submit(
        job, ordered, task_priority(submitted_, job.pairs, priorities), block, batch);
  }
  if (prepared != divided_) {
    release_sorted(*prepared);
  }
  ++submitted_;
}

/// Null: all workers run all tasks.
TaskWorkers::Masks* BatchSubmitter::workers_of(const std::vector<Frame>& frames,
                                               const BatchPlan& plan) {
  const bool one_counts = plan.clustered && keeps_to_workers(runtime_.scheduler());
  if (on_gpu(frames)) {
    return &workers_.of(frames.front().on_gpu->gpu, one_counts);
  }
  return one_counts && runtime_.streams_per_gpu() > 1 ? &workers_.of(std::nullopt, true)
                                                      : nullptr;
}

/// Keeps the positions of a frame whose rows are divided for its other parts.
std::shared_ptr<PreparedPositions> BatchSubmitter::prepare(BegunBatch& batch) {
  if (batch.same_frame) {
    STARHIST_EXPECT(divided_ != nullptr, "the previous batch has divided this frame");
    return divided_;
  }
  if (divided_ != nullptr) {
    release_sorted(*divided_);
    divided_.reset();
  }
  auto prepared = std::make_shared<PreparedPositions>();
  prepared->positions = on_gpu(batch.frames)
                            ? gpu_batches_.take(batch.frames, batch.plan.clustered)
                            : batch.positions.get();
  if (!batch.rows.all()) {
    divided_ = prepared;
  }
  return prepared;
}

/// Prepares the first batch in spatial order while its positions are copied.
void BatchSubmitter::prepare_first(const BegunBatch& batch) {
  if (scratch_ != nullptr || !batch.plan.clustered ||
      batch.plan.most_pairs_per_gpu_task == 0) {
    return;
  }
  const Frame& frame = batch.frames.front();
  allocate_scratch(frame, batch.plan);
  ClusterCostModel* const cost_model = cost_model_of(batch.frames, batch.plan);
  for (std::uint32_t p = 0; p < layout_.pairs.size(); ++p) {
    const SpeciesPair& pair = layout_.pairs[p];
    if (pair.like() &&
        pair_count(layout_, frame, PairId(p)) > batch.plan.most_pairs_per_gpu_task) {
      // The cost model keeps the near pairs by row, which submit() needs.
      const std::uint64_t count = frame.particle_count(pair.first);
      cost_model->split_rows_for_gpus({0, count}, count, 1);
    }
  }
}

/// Null if the particles stay in the order of the file.
ClusterCostModel* BatchSubmitter::cost_model_of(const std::vector<Frame>& frames,
                                                const BatchPlan& plan) {
  if (!plan.clustered) {
    return nullptr;
  }
  if (cost_model_) {
    cost_model_->set_frame(frames.front());
  } else {
    cost_model_.emplace(frames.front(), layout_.bins.r_max);
  }
  return &*cost_model_;
}

/// Allocates the scratch memory of GPUs for the first batch in spatial order.
void BatchSubmitter::allocate_scratch(const Frame& frame, const BatchPlan& plan) {
  if (plan.clustered && plan.most_pairs_per_gpu_task > 0 && scratch_ == nullptr) {
    scratch_ =
        std::make_unique<codelets::GpuScratch>(scratch_bytes(layout_, frame, plan));
  }
}

std::vector<std::uint64_t> BatchSubmitter::pairs_of_groups(
    const std::vector<Frame>& frames) const {
  std::vector<std::uint64_t> pairs;
  for (const LabelledPairs::Group& group : labels_.groups) {
    pairs.push_back(0);
    for (const Frame& frame : frames) {
      pairs.back() += pair_count(layout_, frame, group);
    }
  }
  return pairs;
}

/// Returns nothing without CPU workers: the pairs are then counted immediately.
std::vector<CompoundJob> BatchSubmitter::cut_compounds_for_tasks(
    const std::vector<Frame>& frames, const BatchPlan& plan,
    PendingBlock& block) const {
  std::vector<CompoundJob> compounds =
      cut_compounds(layout_, exclusions_, frames, plan.most_pairs_per_task);
  if (runtime_.cpu_workers() == 0) {
    for (const CompoundJob& job : std::exchange(compounds, {})) {
      compound_tasks_.count_here(job, frames, block);
    }
  }
  return compounds;
}

/// By species; empty if positions stay in the order of the file.
std::vector<DataHandle> BatchSubmitter::submit_all_sorting(
    const std::vector<Frame>& frames, const BatchPlan& plan,
    const BatchPositions& positions, std::vector<std::uint32_t>* workers) {
  std::vector<DataHandle> sorted;
  if (!plan.clustered) {
    return sorted;
  }
  allocate_scratch(frames.front(), plan);
  for (std::uint32_t s = 0; s < layout_.species.size(); ++s) {
    sorted.push_back(submit_sorting(frames, positions, SpeciesId(s), scratch_.get(),
                                    workers, status_));
  }
  return sorted;
}

}  // namespace starhist::tasks
