#include "tasks/submission/batch_submitter.hh"

#include <atomic>
#include <optional>
#include <utility>

#include "codelets/core/base/contract.hh"
#include "tasks/submission/position_sorting.hh"
#include "tasks/submission/scratch_size.hh"

namespace starhist::tasks {
namespace {

PriorityRange priorities_of_scheduler() {
  return {starpu_sched_get_min_priority(), starpu_sched_get_max_priority()};
}

/// A positive number that no other batch of this process has.
std::uint64_t next_batch_number() {
  static std::atomic<std::uint64_t> batches{0};
  return ++batches;
}

}  // namespace

BatchSubmitter::BatchSubmitter(Runtime& runtime, const HistogramLayout& layout,
                               const PairExclusions& exclusions,
                               const LabelledPairs& labels, PinnedPool& memory,
                               codelets::RunStatus& status, CpuShare& cpu_share,
                               BatchEvents events)
    : runtime_(runtime),
      layout_(layout),
      labels_(labels),
      memory_(memory),
      status_(status),
      cpu_share_(cpu_share),
      events_(std::move(events)),
      counting_tasks_(runtime, layout, status),
      compound_tasks_(layout, exclusions, runtime.threads_per_worker(), status),
      labelled_tasks_(layout, labels, runtime.threads_per_worker(), status) {}

void BatchSubmitter::prepare(const Frame& frame, const BatchPlan& plan) {
  if (plan.clustered && plan.most_pairs_per_gpu_task > 0 && scratch_ == nullptr) {
    scratch_ =
        std::make_unique<codelets::GpuScratch>(scratch_bytes(layout_, frame, plan));
  }
}

void BatchSubmitter::submit(const BegunBatch& batch,
                            const std::shared_ptr<PreparedPositions>& positions,
                            BatchJobs jobs, PendingBlock& block) {
  TaskWorkers::Masks* const workers = workers_of(batch);
  batches_.remove_if([](const SubmittedBatch& earlier) { return earlier.ended(); });
  if (runtime_.cpu_workers() == 0) {
    for (const CompoundJob& job : std::exchange(jobs.compounds, {})) {
      compound_tasks_.count_here(job, batch.frames, block);
    }
  }
  if (jobs.for_any_worker() == 0) {
    events_.left_to_cpus();
  }
  if (jobs.tasks() == 0) {
    events_.ended();
    return;
  }
  if (batch.plan.clustered && positions->sorted.empty()) {
    for (std::uint32_t s = 0; s < layout_.species.size(); ++s) {
      positions->sorted.push_back(submit_sorting(
          batch.frames, positions->positions, SpeciesId(s), scratch_.get(),
          workers == nullptr ? nullptr : &workers->sorting, status_));
    }
  }
  std::optional<LabelledPositions> with_labels;
  if (jobs.labelled_tasks() > 0) {
    with_labels = take_labelled_positions(batch.frames, labels_, memory_);
  }
  SubmittedBatch& submitted =
      batches_.emplace_back(positions, std::move(with_labels), jobs.tasks(),
                            jobs.for_any_worker(), status_, cpu_share_, events_);
  const PriorityRange priorities = priorities_of_scheduler();
  submit_others(jobs, priorities, block, submitted);
  const OrderedPositions ordered{
      batch.plan.clustered ? &positions->sorted : &submitted.positions(),
      jobs.geometry,
      jobs.cost_model,
      scratch_.get(),
      workers == nullptr ? nullptr : &workers->counting,
      next_batch_number()};
  for (const CountJob& job : jobs.counting) {
    counting_tasks_.submit(job, ordered,
                           task_priority(submitted_, job.pairs, priorities), block,
                           submitted);
  }
  if (batch.rows.all()) {
    positions->release_sorted();
  }
  ++submitted_;
}

void BatchSubmitter::submit_others(const BatchJobs& jobs, PriorityRange priorities,
                                   PendingBlock& block, SubmittedBatch& submitted) {
  for (const CompoundJob& job : jobs.compounds) {
    compound_tasks_.submit(job, task_priority(submitted_, job.pairs(), priorities),
                           block, submitted);
  }
  for (std::size_t group = 0; group < jobs.labelled.size(); ++group) {
    if (const std::uint64_t pairs = jobs.labelled[group]; pairs > 0) {
      labelled_tasks_.submit(group, pairs, task_priority(submitted_, pairs, priorities),
                             block, submitted);
    }
  }
}

/// Null: all workers run all tasks.
TaskWorkers::Masks* BatchSubmitter::workers_of(const BegunBatch& batch) {
  STARHIST_EXPECT(!batch.frames.empty(), "a batch has a frame");
  const bool one_counts =
      batch.plan.clustered && keeps_to_workers(runtime_.scheduler());
  if (const auto& gpu = batch.frames.front().on_gpu) {
    return &workers_.of(gpu->gpu, one_counts);
  }
  return one_counts && runtime_.streams_per_gpu() > 1 ? &workers_.of(std::nullopt, true)
                                                      : nullptr;
}

}  // namespace starhist::tasks
