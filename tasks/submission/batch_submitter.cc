#include "tasks/submission/batch_submitter.hh"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "tasks/planning/compound_jobs.hh"
#include "tasks/submission/batch_positions.hh"
#include "tasks/submission/position_sorting.hh"
#include "tasks/submission/scratch_size.hh"
#include "tasks/submission/task_priority.hh"

namespace starhist::tasks {
namespace {

/// Beside GPUs cores are free for that; without, they all count.
unsigned copying_threads(const Runtime& runtime) {
  constexpr unsigned most = 10;
  return runtime.cuda_workers() > 0
             ? std::clamp(std::thread::hardware_concurrency() / 2, 1U, most)
             : 1;
}

PriorityRange priorities_of_scheduler() {
  return {starpu_sched_get_min_priority(), starpu_sched_get_max_priority()};
}

bool for_any_worker(const CountJob& job) {
  return job.target != TaskTarget::cpu;
}

}  // namespace

BatchSubmitter::BatchSubmitter(Runtime& runtime, const HistogramLayout& layout,
                               const PairExclusions& exclusions, PinnedPool& memory,
                               codelets::RunStatus& status, BatchEvents events)
    : runtime_(runtime),
      layout_(layout),
      exclusions_(exclusions),
      memory_(memory),
      status_(status),
      events_(std::move(events)),
      copying_threads_(copying_threads(runtime)),
      counting_tasks_(runtime, layout, status),
      compound_tasks_(layout, exclusions, runtime.threads_per_worker(), status),
      jobs_(layout) {}

void BatchSubmitter::submit(const std::vector<Frame>& frames, const BatchPlan& plan,
                            PendingBlock& block) {
  batches_.remove_if([](const SubmittedBatch& batch) { return batch.ended(); });
  const bool gpus = plan.most_pairs_per_gpu_task > 0;
  BatchPositions positions = take_positions(frames, copying_threads_, memory_, gpus);
  std::vector<CountJob> counting;
  if (!counts_only_same(layout_.exclusion)) {
    counting = jobs_.cut(frames, positions.bounds, plan,
                         gpus ? room_for_cpu_tasks(plan, frames) : 0);
  }
  const std::vector<CompoundJob> compounds =
      cut_compounds_for_tasks(frames, plan, block);
  const auto for_any = static_cast<std::size_t>(
      std::count_if(counting.begin(), counting.end(), for_any_worker));
  if (for_any == 0) {
    events_.left_to_cpus();
  }
  if (counting.empty() && compounds.empty()) {
    events_.ended();
    return;
  }
  std::vector<DataHandle> sorted = submit_all_sorting(frames, plan, positions);
  SubmittedBatch& batch =
      batches_.emplace_back(std::move(positions), counting.size() + compounds.size(),
                            for_any, status_, cpu_tasks_, events_);
  const PriorityRange priorities = priorities_of_scheduler();
  for (const CompoundJob& job : compounds) {
    compound_tasks_.submit(job, task_priority(submitted_, job.pairs(), priorities),
                           block, batch);
  }
  std::optional<ClusterCostModel> cost_model;
  OrderedPositions ordered{
      &batch.positions(),
      perfmodels::geometry_of(frames.front().box, layout_.bins.r_max), nullptr,
      scratch_.get()};
  if (plan.clustered) {
    ordered.handles = &sorted;
    ordered.cost_model = &cost_model.emplace(frames.front(), layout_.bins.r_max);
  }
  for (const CountJob& job : counting) {
    counting_tasks_.submit(
        job, ordered, task_priority(submitted_, job.pairs, priorities), block, batch);
  }
  for (DataHandle& handle : sorted) {
    handle.release_after_use();
  }
  ++submitted_;
}

/// Without CPU workers none are left: they are counted here and now.
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

/// By species; empty where positions stay in the order of the file.
std::vector<DataHandle> BatchSubmitter::submit_all_sorting(
    const std::vector<Frame>& frames, const BatchPlan& plan,
    const BatchPositions& positions) {
  std::vector<DataHandle> sorted;
  if (!plan.clustered) {
    return sorted;
  }
  if (plan.most_pairs_per_gpu_task > 0 && scratch_ == nullptr) {
    scratch_ = std::make_unique<codelets::GpuScratch>(
        scratch_bytes(layout_, frames.front(), plan));
  }
  for (std::uint32_t s = 0; s < layout_.species.size(); ++s) {
    sorted.push_back(
        submit_sorting(frames, positions, SpeciesId(s), scratch_.get(), status_));
  }
  return sorted;
}

/// CPU workers beside GPUs get a new task when they have nearly done the last: were
/// they given too much, the GPUs would have to wait for them. A batch that keeps
/// everybody busy for long goes by the speeds: all workers get equally many tasks, one
/// less than they could do.
std::uint64_t BatchSubmitter::room_for_cpu_tasks(
    const BatchPlan& plan, const std::vector<Frame>& frames) const {
  if (plan.gpus_only) {
    return 0;
  }
  constexpr std::uint64_t tasks_per_worker = 2;
  const std::uint64_t workers = runtime_.cpu_workers();
  const std::uint64_t most = tasks_per_worker * workers;
  const std::uint64_t few = most - std::min<std::uint64_t>(most, cpu_tasks_);
  double pairs = 0.0;
  std::uint64_t columns = 0;
  for (const Frame& frame : frames) {
    pairs += static_cast<double>(pair_count(layout_, frame));
    for (const auto& positions : frame.positions) {
      columns = std::max<std::uint64_t>(columns, positions.size() / 3);
    }
  }
  const double round = static_cast<double>(cpu_task_pairs(plan, columns) *
                                           std::max<std::uint64_t>(workers, 1));
  constexpr double memory_bound = 0.85;  // many columns and few rows are slower
  const double rounds =
      std::max(memory_bound * plan.cpu_share * pairs / round - 1.0, 0.0);
  return std::max(few, static_cast<std::uint64_t>(rounds) * workers);
}

}  // namespace starhist::tasks
