#include "tasks/submission/batch_submitter.hh"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "codelets/core/base/contract.hh"
#include "codelets/core/base/ids.hh"
#include "codelets/core/counting/frame.hh"
#include "codelets/gpu_scratch.hh"
#include "codelets/run_status.hh"
#include "codelets/sort_positions_codelet.hh"
#include "codelets/sort_positions_cuda.hh"
#include "codelets/task_args.hh"
#include "tasks/positions/batch_positions.hh"
#include "tasks/runtime/data_handle.hh"
#include "tasks/submission/submit_task.hh"

namespace starhist::tasks {
namespace {

/// The particles of `species`, frame by frame.
std::vector<codelets::SortSlice> slices_of(const std::vector<Frame>& frames,
                                           const BatchPositions& batch,
                                           SpeciesId species) {
  std::vector<codelets::SortSlice> slices;
  std::uint64_t offset = 0;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    codelets::SortSlice slice;
    slice.image = frames[f].box.minimum_image();
    slice.offset = offset;
    slice.count = frames[f].particle_count(species);
    if (!batch.bounds.empty()) {
      slice.bounds = batch.bounds[f][species.index()];
      slice.density_contrast = batch.density_contrasts[species.index()];
    }
    slices.push_back(slice);
    offset += slice.count;
  }
  return slices;
}

/// Submits the task that sorts the positions of one species into spatial order, each
/// frame separately, and returns the handle of the sorted positions: x, y, z of the
/// particles of all frames, one frame after the other. Returns an empty handle and
/// submits no task if there are no particles. GPUs sort if there is a `scratch`,
/// otherwise CPU workers do; `workers`: see restrict_to(). All arguments after
/// `species` must live until the task has ended. Throws RunError if StarPU refuses the
/// task.
DataHandle submit_sorting(const std::vector<Frame>& frames, const BatchPositions& batch,
                          SpeciesId species, const codelets::GpuScratch* scratch,
                          std::vector<std::uint32_t>* workers,
                          codelets::RunStatus& status) {
  const DataHandle& positions = batch.handles[species.index()];
  if (positions.get() == nullptr) {
    return {};
  }
  const std::vector<codelets::SortSlice> slices = slices_of(frames, batch, species);
  DataHandle sorted =
      make_vector_handle<double>(3 * (slices.back().offset + slices.back().count));
  starpu_task* task = starpu_task_create();
  task->cl = codelets::sort_positions_codelet();
  task->where = scratch != nullptr ? STARPU_CUDA : STARPU_CPU;
  restrict_to(workers, *task);
  codelets::SortPositionsArgs args;
  args.status = &status;
  args.scratch = scratch;
  codelets::set_task_args(*task, args, slices);
  task->handles[0] = positions.get();
  task->handles[1] = sorted.get();
  submit_task(task, "submit the sorting of positions");
  return sorted;
}

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

std::size_t scratch_bytes(const HistogramLayout& layout, const Frame& frame,
                          const BatchPlan& plan) {
  constexpr std::size_t most_bytes = std::size_t{1} << 30U;
  std::size_t bytes = 0;
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    const SpeciesPair& pair = layout.pairs[p];
    const std::uint64_t pairs =
        std::max<std::uint64_t>(pair_count(layout, frame, PairId(p)), 1);
    const std::uint64_t together =
        std::min({plan.most_pairs_per_gpu_task / pairs + 1,
                  codelets::GpuScratch::most_frames(), plan.frames_per_batch});
    const auto bytes_for = [&](std::uint64_t count) {
      return codelets::GpuScratch::bytes_for(
          count, frame.particle_count(pair.first),
          pair.like() ? 0 : frame.particle_count(pair.second));
    };
    bytes = std::max({bytes, bytes_for(1), std::min(bytes_for(together), most_bytes)});
  }
  for (std::uint32_t s = 0; s < layout.species.size(); ++s) {
    bytes =
        std::max(bytes, codelets::gpu_sort_bytes(plan.frames_per_batch *
                                                 frame.particle_count(SpeciesId(s))));
  }
  return bytes;
}

}  // namespace starhist::tasks
