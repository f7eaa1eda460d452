#include "tasks/submission/batch_submitter.hh"

#include <algorithm>
#include <atomic>
#include <bit>
#include <climits>
#include <memory>
#include <optional>
#include <utility>

#include "codelets/kernels/clusters/spatial_grid.hh"
#include "codelets/sort_positions_codelet.hh"
#include "codelets/sort_positions_cuda.hh"
#include "codelets/task_args.hh"
#include "tasks/runtime/check.hh"
#include "tasks/submission/batch_positions.hh"

namespace starhist::tasks {

/// Counts its tasks down to on_done; the positions stay until the thread that submits
/// finds that there are no more.
struct BatchSubmitter::Batch {
  Batch(BatchSubmitter* by, BatchPositions&& of, std::size_t task_count,
        std::size_t count_for_any)
      : submitter(by),
        positions(std::move(of)),
        tasks(task_count),
        tasks_for_any(count_for_any) {}
  BatchSubmitter* submitter;
  BatchPositions positions;
  std::atomic<std::size_t> tasks;
  std::atomic<std::size_t> tasks_for_any;  ///< of them: not Place::cpu
};

/// What is to be known when a task has ended.
struct BatchSubmitter::TaskTicket {
  Batch* batch;
  perfmodels::CountPairsModel* model;
  bool for_cpu;  ///< Place::cpu
};

namespace {

/// `action` is for the message if that fails; the task is then gone.
void submit_task(starpu_task* task, const std::string& action) {
  const int code = starpu_task_submit(task);
  if (code != 0) {
    task->destroy = 0;
    starpu_task_destroy(task);
    check_starpu(code, action);
  }
}

/// Beside GPUs cores are free for that; without, they all count.
unsigned copying_threads(const Runtime& runtime) {
  constexpr unsigned most = 10;
  return runtime.cuda_workers() > 0
             ? std::clamp(std::thread::hardware_concurrency() / 2, 1U, most)
             : 1;
}

/// Earlier batches first, and within a batch the tasks with most pairs: their number
/// in powers of two. Some schedulers know only a few priorities.
int priority(std::uint64_t batch, std::uint64_t pairs) {
  constexpr std::int64_t sizes = 64;
  constexpr std::int64_t most_batches = INT_MAX / sizes;
  const auto size = static_cast<std::int64_t>(std::bit_width(pairs));
  const std::int64_t least = starpu_sched_get_min_priority();
  const std::int64_t most = starpu_sched_get_max_priority();
  const std::int64_t wanted =
      most - least < most_batches
          ? size
          : size - sizes * std::min(static_cast<std::int64_t>(batch), most_batches);
  return static_cast<int>(std::clamp(wanted, least, most));
}

}  // namespace

BatchSubmitter::BatchSubmitter(Runtime& runtime, const HistogramLayout& layout,
                               const PairExclusions& exclusions, PinnedPool& memory,
                               codelets::RunStatus& status,
                               std::function<void()> on_only_cpu_tasks_left,
                               std::function<void()> on_done)
    : runtime_(runtime),
      layout_(layout),
      exclusions_(exclusions),
      memory_(memory),
      status_(status),
      on_only_cpu_tasks_left_(std::move(on_only_cpu_tasks_left)),
      on_done_(std::move(on_done)),
      copying_threads_(copying_threads(runtime)),
      jobs_(layout) {
  for (const SpeciesPair& pair : layout.pairs) {
    pair_names_.push_back(pair_name(pair, layout.species));
    compound_names_.push_back(pair_names_.back() + " within units");
  }
}

BatchSubmitter::~BatchSubmitter() = default;

/// Their last task has ended, and nobody else uses the positions.
void BatchSubmitter::forget_finished_batches() {
  in_flight_.remove_if([](const Batch& batch) { return batch.tasks == 0; });
}

void BatchSubmitter::submit(const std::vector<Frame>& frames, const BatchPlan& plan,
                            PendingBlock& block) {
  forget_finished_batches();
  const bool gpus = plan.most_pairs_per_gpu_task > 0;
  BatchPositions positions = take_positions(frames, copying_threads_, memory_, gpus);
  std::vector<CountJob> work;
  if (!counts_only_same(layout_.exclusion)) {
    work = jobs_.cut(frames, positions.bounds, plan,
                     gpus ? room_for_cpu_tasks(plan, frames) : 0);
  }
  std::vector<CompoundJob> compounds =
      cut_compounds(layout_, exclusions_, frames, plan.most_pairs_per_task);
  if (runtime_.cpu_workers() == 0) {
    for (const CompoundJob& job : std::exchange(compounds, {})) {
      count_compounds_here(job, frames, block);
    }
  }
  const auto for_any = static_cast<std::size_t>(
      std::count_if(work.begin(), work.end(),
                    [](const CountJob& job) { return job.target != TaskTarget::cpu; }));
  if (for_any == 0) {
    on_only_cpu_tasks_left_();
  }
  if (work.empty() && compounds.empty()) {
    on_done_();
    return;
  }
  std::vector<DataHandle> sorted;
  if (gpus && plan.clustered && scratch_ == nullptr) {
    allocate_scratch(frames, plan);
  }
  if (plan.clustered) {
    cost_model_.emplace(frames.front(), layout_.bins.r_max);
  }
  for (std::uint32_t s = 0; s < layout_.species.size() && plan.clustered; ++s) {
    sorted.push_back(submit_sort(frames, positions, SpeciesId(s)));
  }
  const perfmodels::Geometry geometry =
      perfmodels::geometry_of(frames.front().box, layout_.bins.r_max);
  Batch& batch = in_flight_.emplace_back(this, std::move(positions),
                                         work.size() + compounds.size(), for_any);
  for (const CompoundJob& job : compounds) {
    submit_compounds(job, block, batch);
  }
  for (const CountJob& job : work) {
    submit_job(job, plan.clustered ? sorted : batch.positions.handles, geometry,
               plan.clustered, block, batch);
  }
  for (DataHandle& handle : sorted) {
    handle.release_after_use();
  }
  ++batches_;
}

/// Positions in spatial order; a task, for a GPU if there is one, will bring them
/// there.
DataHandle BatchSubmitter::submit_sort(const std::vector<Frame>& frames,
                                       const BatchPositions& batch, SpeciesId species) {
  const DataHandle& positions = batch.handles[species.index()];
  if (positions.get() == nullptr) {
    return {};
  }
  std::vector<codelets::SortSlice> slices;
  std::uint64_t offset = 0;
  double density_contrast = 0.0;  // not known yet
  for (std::size_t f = 0; f < frames.size(); ++f) {
    codelets::SortSlice slice;
    slice.image = frames[f].box.minimum_image();
    slice.offset = offset;
    slice.count = frames[f].particle_count(species);
    if (!batch.bounds.empty()) {
      slice.bounds = batch.bounds[f][species.index()];
      if (density_contrast == 0.0 && slice.count > 0) {
        density_contrast = kernels::density_contrast_of(
            {frames[f].positions[species.index()].data(), slice.count}, slice.image,
            slice.bounds, kernels::ClusterAxes::cartesian);
      }
      // Frames of a batch follow each other: what is crowded in one is in the others.
      slice.density_contrast = std::max(density_contrast, 1.0);
    }
    slices.push_back(slice);
    offset += slice.count;
  }
  DataHandle sorted = make_vector_handle<double>(3 * offset);
  starpu_task* task = starpu_task_create();
  task->cl = codelets::sort_positions_codelet();
  task->where = scratch_ != nullptr ? STARPU_CUDA : STARPU_CPU;
  codelets::SortPositionsArgs args;
  args.status = &status_;
  args.scratch = scratch_.get();
  codelets::set_task_args(*task, args, slices);
  task->handles[0] = positions.get();
  task->handles[1] = sorted.get();
  submit_task(task, "submit the sorting of positions");
  return sorted;
}

/// For the largest task of a batch of frames like the first of these, as far as a
/// launch goes. What needs more is counted in several launches, and not sorted.
void BatchSubmitter::allocate_scratch(const std::vector<Frame>& frames,
                                      const BatchPlan& plan) {
  constexpr std::size_t most_bytes = std::size_t{1} << 30U;
  const Frame& frame = frames.front();
  std::size_t bytes = 0;
  for (std::uint32_t p = 0; p < layout_.pairs.size(); ++p) {
    const SpeciesPair& pair = layout_.pairs[p];
    const std::uint64_t pairs =
        std::max<std::uint64_t>(pair_count(layout_, frame, PairId(p)), 1);
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
  for (std::uint32_t s = 0; s < layout_.species.size(); ++s) {
    bytes =
        std::max(bytes, codelets::gpu_sort_bytes(plan.frames_per_batch *
                                                 frame.particle_count(SpeciesId(s))));
  }
  scratch_ = std::make_unique<codelets::GpuScratch>(bytes);
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
  const double round = static_cast<double>(FrameJobs::cpu_task_pairs(plan, columns) *
                                           std::max<std::uint64_t>(workers, 1));
  constexpr double memory_bound = 0.85;  // many columns and few rows are slower
  const double rounds =
      std::max(memory_bound * plan.cpu_share * pairs / round - 1.0, 0.0);
  return std::max(few, static_cast<std::uint64_t>(rounds) * workers);
}

void BatchSubmitter::submit_job(const CountJob& job,
                                const std::vector<DataHandle>& positions,
                                perfmodels::Geometry geometry, bool clustered,
                                PendingBlock& block, Batch& batch) {
  const SpeciesPair& pair = layout_.pairs[job.pair.index()];
  codelets::CountPairsArgs args;
  args.bins = layout_.bins.from_zero();
  args.size = {job.pairs, job.pairs, job.pairs, args.bins.count,
               static_cast<std::uint32_t>(job.slices.size())};
  if (clustered) {
    const codelets::FrameSlice& slice = job.slices.front();  // the others are alike
    cost_model_->set_evaluated(slice.first_count, slice.second_count, args.size);
  }
  args.kind = pair.like() ? perfmodels::PairKind::like : perfmodels::PairKind::unlike;
  args.threads = runtime_.threads_per_worker();
  args.clustered = clustered ? 1 : 0;
  args.status = &status_;
  args.scratch = scratch_.get();
  codelets::CountPairsCodelet& codelet = runtime_.count_pairs(
      args.kind, geometry,
      clustered ? perfmodels::Order::spatial : perfmodels::Order::any);

  starpu_task* task = starpu_task_create();
  task->cl = codelet.get();
  task->name = pair_names_[job.pair.index()].c_str();
  codelets::set_task_args(*task, args, job.slices);
  int buffer = 0;
  task->handles[buffer++] = positions[pair.first.index()].get();
  if (!pair.like()) {
    task->handles[buffer++] = positions[pair.second.index()].get();
  }
  task->handles[buffer] = block.counts_handle(job.pair);
  cpu_tasks_ += job.target == TaskTarget::cpu ? 1 : 0;
  if (job.target != TaskTarget::any) {
    task->where = job.target == TaskTarget::gpu ? STARPU_CUDA : STARPU_CPU;
  }
  task->priority = priority(batches_, job.pairs);
  // What the model goes by: StarPU's GFlop/s are 10^9 evaluated pairs/s.
  task->flops = perfmodels::CountPairsModel::evaluated(args.size, STARPU_CUDA_WORKER);
  task->callback_func = task_ended;
  task->callback_arg =
      new TaskTicket{&batch, &codelet.model(), job.target == TaskTarget::cpu};
  const int code = starpu_task_submit(task);
  if (code != 0) {
    delete static_cast<TaskTicket*>(task->callback_arg);
    task->destroy = 0;
    starpu_task_destroy(task);
    check_starpu(code, "submit the counting of " + pair_names_[job.pair.index()]);
  }
}

codelets::CountCompoundPairsArgs BatchSubmitter::compound_args(
    const CompoundJob& job) const {
  codelets::CountCompoundPairsArgs args;
  args.compounds = &exclusions_.compounds(job.pair);
  args.rows = job.rows;
  args.bins = layout_.bins.from_zero();
  args.what = counts_only_same(layout_.exclusion) ? codelets::CompoundTask::add
                                                  : codelets::CompoundTask::subtract;
  args.threads = runtime_.threads_per_worker();
  return args;
}

void BatchSubmitter::submit_compounds(const CompoundJob& job, PendingBlock& block,
                                      Batch& batch) {
  const std::vector<DataHandle>& positions = batch.positions.handles;
  const SpeciesPair& pair = layout_.pairs[job.pair.index()];
  codelets::CountCompoundPairsArgs args = compound_args(job);
  args.status = &status_;
  starpu_task* task = starpu_task_create();
  task->cl = codelets::count_compound_pairs_codelet(
      pair.like() ? perfmodels::PairKind::like : perfmodels::PairKind::unlike);
  task->name = compound_names_[job.pair.index()].c_str();
  codelets::set_task_args(*task, args, job.frames);
  int buffer = 0;
  task->handles[buffer++] = positions[pair.first.index()].get();
  if (!pair.like()) {
    task->handles[buffer++] = positions[pair.second.index()].get();
  }
  task->handles[buffer] = block.counts_handle(job.pair);
  task->priority = priority(batches_, job.pairs());
  task->callback_func = compound_task_ended;
  task->callback_arg = &batch;
  submit_task(task,
              "submit the pairs within units of " + pair_names_[job.pair.index()]);
}

/// Where there are only GPUs.
void BatchSubmitter::count_compounds_here(const CompoundJob& job,
                                          const std::vector<Frame>& frames,
                                          PendingBlock& block) const {
  const SpeciesPair& pair = layout_.pairs[job.pair.index()];
  const auto joined = [&](SpeciesId species) {
    std::vector<double> all;
    for (const Frame& frame : frames) {
      const auto& positions = frame.positions[species.index()];
      all.insert(all.end(), positions.begin(), positions.end());
    }
    return all;
  };
  codelets::count_compound_pairs(compound_args(job), job.frames,
                                 joined(pair.first).data(), joined(pair.second).data(),
                                 block.own_counts(job.pair));
}

void BatchSubmitter::task_ended(void* argument) noexcept {
  const std::unique_ptr<TaskTicket> own(static_cast<TaskTicket*>(argument));
  Batch* batch = own->batch;
  codelets::RunStatus& status = batch->submitter->status_;
  batch->submitter->cpu_tasks_ -= own->for_cpu ? 1 : 0;
  starpu_task* task = starpu_task_get_current();
  const std::optional<codelets::TaskRecord> record = codelets::record_of(*task);
  if (record && !status.stopped()) {
    const auto& args = *static_cast<const codelets::CountPairsArgs*>(task->cl_arg);
    if (args.repeated_pairs == 0) {  // otherwise it says nothing of the GPU's speed
      const starpu_worker_archtype kind = starpu_worker_get_type(record->worker);
      own->model->observe(kind, starpu_task_get_implementation(task),
                          perfmodels::CountPairsModel::evaluated(args.size, kind),
                          record->end - record->start);
    }
    status.record(*record);
  }
  if (!own->for_cpu && batch->tasks_for_any.fetch_sub(1) == 1) {
    batch->submitter->on_only_cpu_tasks_left_();
  }
  batch_task_ended(batch);
}

void BatchSubmitter::compound_task_ended(void* argument) noexcept {
  auto* batch = static_cast<Batch*>(argument);
  codelets::RunStatus& status = batch->submitter->status_;
  const std::optional<codelets::TaskRecord> record =
      codelets::compound_record_of(*starpu_task_get_current());
  if (record && !status.stopped()) {
    status.record(*record);
  }
  batch_task_ended(batch);
}

void BatchSubmitter::batch_task_ended(Batch* batch) noexcept {
  BatchSubmitter* const submitter = batch->submitter;
  if (batch->tasks.fetch_sub(1) == 1) {
    submitter->on_done_();
  }
}

}  // namespace starhist::tasks
