#include "tasks/submission/bundle_submitter.hh"

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
#include "tasks/submission/bundle_positions.hh"

namespace starhist::tasks {

/// Counts its tasks down to on_done; the positions stay until the thread that submits
/// finds that there are no more.
struct BundleSubmitter::Bundle {
  Bundle(BundleSubmitter* by, BundlePositions&& of, std::size_t task_count,
         std::size_t count_for_any)
      : submitter(by),
        positions(std::move(of)),
        tasks(task_count),
        tasks_for_any(count_for_any) {}
  BundleSubmitter* submitter;
  BundlePositions positions;
  std::atomic<std::size_t> tasks;
  std::atomic<std::size_t> tasks_for_any;  ///< of them: not Place::cpu
};

/// What is to be known when a task has ended.
struct BundleSubmitter::TaskTicket {
  Bundle* bundle;
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

/// Earlier bundles first, and within a bundle the tasks with most pairs: their number
/// in powers of two. Some schedulers know only a few priorities.
int priority(std::uint64_t bundle, std::uint64_t pairs) {
  constexpr std::int64_t sizes = 64;
  constexpr std::int64_t most_bundles = INT_MAX / sizes;
  const auto size = static_cast<std::int64_t>(std::bit_width(pairs));
  const std::int64_t least = starpu_sched_get_min_priority();
  const std::int64_t most = starpu_sched_get_max_priority();
  const std::int64_t wanted =
      most - least < most_bundles
          ? size
          : size - sizes * std::min(static_cast<std::int64_t>(bundle), most_bundles);
  return static_cast<int>(std::clamp(wanted, least, most));
}

}  // namespace

BundleSubmitter::BundleSubmitter(Runtime& runtime, const HistogramLayout& layout,
                                 const PairExclusions& exclusions,
                                 TransferMemory& memory, codelets::RunStatus& status,
                                 std::function<void()> on_rest_for_cpus,
                                 std::function<void()> on_done)
    : runtime_(runtime),
      layout_(layout),
      exclusions_(exclusions),
      memory_(memory),
      status_(status),
      on_rest_for_cpus_(std::move(on_rest_for_cpus)),
      on_done_(std::move(on_done)),
      copying_threads_(copying_threads(runtime)),
      jobs_(layout) {
  for (const SpeciesPair& pair : layout.pairs) {
    pair_names_.push_back(pair_name(pair, layout.species));
    unit_names_.push_back(pair_names_.back() + " within units");
  }
}

BundleSubmitter::~BundleSubmitter() = default;

/// Their last task has ended, and nobody else uses the positions.
void BundleSubmitter::forget_finished_bundles() {
  in_flight_.remove_if([](const Bundle& bundle) { return bundle.tasks == 0; });
}

void BundleSubmitter::submit(const std::vector<Frame>& frames, const WorkPlan& plan,
                             BlockInFlight& block) {
  forget_finished_bundles();
  const bool gpus = plan.most_pairs_per_gpu_task > 0;
  BundlePositions positions = take_positions(frames, copying_threads_, memory_, gpus);
  std::vector<CountJob> work;
  if (!counts_only_same(layout_.exclusion)) {
    work = jobs_.cut(frames, positions.bounds, plan,
                     gpus ? room_for_cpu_tasks(plan, frames) : 0);
  }
  std::vector<UnitJob> units =
      cut_units(layout_, exclusions_, frames, plan.most_pairs_per_task);
  if (runtime_.cpu_workers() == 0) {
    for (const UnitJob& job : std::exchange(units, {})) {
      count_units_here(job, frames, block);
    }
  }
  const auto for_any = static_cast<std::size_t>(
      std::count_if(work.begin(), work.end(),
                    [](const CountJob& job) { return job.place != Place::cpu; }));
  if (for_any == 0) {
    on_rest_for_cpus_();
  }
  if (work.empty() && units.empty()) {
    on_done_();
    return;
  }
  std::vector<DataHandle> sorted;
  if (gpus && plan.tiled && scratch_ == nullptr) {
    allocate_scratch(frames, plan);
  }
  if (plan.tiled) {
    efforts_.emplace(frames.front(), layout_.bins.r_max);
  }
  for (std::uint32_t s = 0; s < layout_.species.size() && plan.tiled; ++s) {
    sorted.push_back(submit_sort(frames, positions, SpeciesId(s)));
  }
  const perfmodels::Geometry geometry =
      perfmodels::geometry_of(frames.front().box, layout_.bins.r_max);
  Bundle& bundle = in_flight_.emplace_back(this, std::move(positions),
                                           work.size() + units.size(), for_any);
  for (const UnitJob& job : units) {
    submit_units(job, block, bundle);
  }
  for (const CountJob& job : work) {
    submit_job(job, plan.tiled ? sorted : bundle.positions.handles, geometry,
               plan.tiled, block, bundle);
  }
  for (DataHandle& handle : sorted) {
    handle.release_after_use();
  }
  ++bundles_;
}

/// Positions in spatial order; a task, for a GPU if there is one, will bring them
/// there.
DataHandle BundleSubmitter::submit_sort(const std::vector<Frame>& frames,
                                        const BundlePositions& bundle,
                                        SpeciesId species) {
  const DataHandle& positions = bundle.handles[species.index()];
  if (positions.get() == nullptr) {
    return {};
  }
  std::vector<codelets::SortPart> parts;
  std::uint64_t offset = 0;
  double crowding = 0.0;  // not known yet
  for (std::size_t f = 0; f < frames.size(); ++f) {
    codelets::SortPart part;
    part.image = frames[f].box.minimum_image();
    part.offset = offset;
    part.count = frames[f].particle_count(species);
    if (!bundle.bounds.empty()) {
      part.bounds = bundle.bounds[f][species.index()];
      if (crowding == 0.0 && part.count > 0) {
        crowding = kernels::crowding_of(
            {frames[f].positions[species.index()].data(), part.count}, part.image,
            part.bounds, kernels::TileAxes::cartesian);
      }
      // Frames of a bundle follow each other: what is crowded in one is in the others.
      part.crowding = std::max(crowding, 1.0);
    }
    parts.push_back(part);
    offset += part.count;
  }
  DataHandle sorted = make_vector_handle<double>(3 * offset);
  starpu_task* task = starpu_task_create();
  task->cl = codelets::sort_positions_codelet();
  task->where = scratch_ != nullptr ? STARPU_CUDA : STARPU_CPU;
  codelets::SortPositionsArgs args;
  args.status = &status_;
  args.scratch = scratch_.get();
  codelets::set_task_args(*task, args, parts);
  task->handles[0] = positions.get();
  task->handles[1] = sorted.get();
  submit_task(task, "submit the sorting of positions");
  return sorted;
}

/// For the largest task of a bundle of frames like the first of these, as far as a
/// launch goes. What needs more is counted in several launches, and not sorted.
void BundleSubmitter::allocate_scratch(const std::vector<Frame>& frames,
                                       const WorkPlan& plan) {
  constexpr std::size_t most_bytes = std::size_t{1} << 30U;
  const Frame& frame = frames.front();
  std::size_t bytes = 0;
  for (std::uint32_t p = 0; p < layout_.pairs.size(); ++p) {
    const SpeciesPair& pair = layout_.pairs[p];
    const std::uint64_t pairs =
        std::max<std::uint64_t>(pair_count(layout_, frame, PairId(p)), 1);
    const std::uint64_t together =
        std::min({plan.most_pairs_per_gpu_task / pairs + 1,
                  codelets::GpuScratch::most_frames(), plan.frames_per_bundle});
    const auto bytes_for = [&](std::uint64_t count) {
      return codelets::GpuScratch::bytes_for(
          count, frame.particle_count(pair.first),
          pair.like() ? 0 : frame.particle_count(pair.second));
    };
    bytes = std::max({bytes, bytes_for(1), std::min(bytes_for(together), most_bytes)});
  }
  for (std::uint32_t s = 0; s < layout_.species.size(); ++s) {
    bytes =
        std::max(bytes, codelets::gpu_sort_bytes(plan.frames_per_bundle *
                                                 frame.particle_count(SpeciesId(s))));
  }
  scratch_ = std::make_unique<codelets::GpuScratch>(bytes);
}

/// CPU workers beside GPUs get a new task when they have nearly done the last: were
/// they given too much, the GPUs would have to wait for them. A bundle that keeps
/// everybody busy for long goes by the speeds: all workers get equally many tasks, one
/// less than they could do.
std::uint64_t BundleSubmitter::room_for_cpu_tasks(
    const WorkPlan& plan, const std::vector<Frame>& frames) const {
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

void BundleSubmitter::submit_job(const CountJob& job,
                                 const std::vector<DataHandle>& positions,
                                 perfmodels::Geometry geometry, bool tiled,
                                 BlockInFlight& block, Bundle& bundle) {
  const SpeciesPair& pair = layout_.pairs[job.pair.index()];
  codelets::CountPairsArgs args;
  args.bins = layout_.bins.from_zero();
  args.size = {job.pairs, job.pairs, job.pairs, args.bins.count,
               static_cast<std::uint32_t>(job.parts.size())};
  if (tiled) {
    const codelets::FramePart& part = job.parts.front();  // the others are alike
    efforts_->set_evaluated(part.first_count, part.second_count, args.size);
  }
  args.kind = pair.like() ? perfmodels::PairKind::like : perfmodels::PairKind::unlike;
  args.threads = runtime_.threads_per_worker();
  args.tiled = tiled ? 1 : 0;
  args.status = &status_;
  args.scratch = scratch_.get();
  codelets::CountPairsCodelet& codelet = runtime_.count_pairs(
      args.kind, geometry, tiled ? perfmodels::Order::spatial : perfmodels::Order::any);

  starpu_task* task = starpu_task_create();
  task->cl = codelet.get();
  task->name = pair_names_[job.pair.index()].c_str();
  codelets::set_task_args(*task, args, job.parts);
  int buffer = 0;
  task->handles[buffer++] = positions[pair.first.index()].get();
  if (!pair.like()) {
    task->handles[buffer++] = positions[pair.second.index()].get();
  }
  task->handles[buffer] = block.counts_handle(job.pair);
  cpu_tasks_ += job.place == Place::cpu ? 1 : 0;
  if (job.place != Place::any) {
    task->where = job.place == Place::gpu ? STARPU_CUDA : STARPU_CPU;
  }
  task->priority = priority(bundles_, job.pairs);
  // What the model goes by: StarPU's GFlop/s are 10^9 evaluated pairs/s.
  task->flops = perfmodels::CountPairsModel::evaluated(args.size, STARPU_CUDA_WORKER);
  task->callback_func = task_ended;
  task->callback_arg =
      new TaskTicket{&bundle, &codelet.model(), job.place == Place::cpu};
  const int code = starpu_task_submit(task);
  if (code != 0) {
    delete static_cast<TaskTicket*>(task->callback_arg);
    task->destroy = 0;
    starpu_task_destroy(task);
    check_starpu(code, "submit the counting of " + pair_names_[job.pair.index()]);
  }
}

codelets::CountUnitPairsArgs BundleSubmitter::unit_args(const UnitJob& job) const {
  codelets::CountUnitPairsArgs args;
  args.units = &exclusions_.units(job.pair);
  args.rows = job.rows;
  args.bins = layout_.bins.from_zero();
  args.what = counts_only_same(layout_.exclusion) ? codelets::UnitTask::add
                                                  : codelets::UnitTask::subtract;
  args.threads = runtime_.threads_per_worker();
  return args;
}

void BundleSubmitter::submit_units(const UnitJob& job, BlockInFlight& block,
                                   Bundle& bundle) {
  const std::vector<DataHandle>& positions = bundle.positions.handles;
  const SpeciesPair& pair = layout_.pairs[job.pair.index()];
  codelets::CountUnitPairsArgs args = unit_args(job);
  args.status = &status_;
  starpu_task* task = starpu_task_create();
  task->cl = codelets::count_unit_pairs_codelet(
      pair.like() ? perfmodels::PairKind::like : perfmodels::PairKind::unlike);
  task->name = unit_names_[job.pair.index()].c_str();
  codelets::set_task_args(*task, args, job.frames);
  int buffer = 0;
  task->handles[buffer++] = positions[pair.first.index()].get();
  if (!pair.like()) {
    task->handles[buffer++] = positions[pair.second.index()].get();
  }
  task->handles[buffer] = block.counts_handle(job.pair);
  task->priority = priority(bundles_, job.pairs());
  task->callback_func = unit_task_ended;
  task->callback_arg = &bundle;
  submit_task(task,
              "submit the pairs within units of " + pair_names_[job.pair.index()]);
}

/// Where there are only GPUs.
void BundleSubmitter::count_units_here(const UnitJob& job,
                                       const std::vector<Frame>& frames,
                                       BlockInFlight& block) const {
  const SpeciesPair& pair = layout_.pairs[job.pair.index()];
  const auto joined = [&](SpeciesId species) {
    std::vector<double> all;
    for (const Frame& frame : frames) {
      const auto& positions = frame.positions[species.index()];
      all.insert(all.end(), positions.begin(), positions.end());
    }
    return all;
  };
  codelets::count_unit_pairs(unit_args(job), job.frames, joined(pair.first).data(),
                             joined(pair.second).data(), block.own_counts(job.pair));
}

void BundleSubmitter::task_ended(void* argument) noexcept {
  const std::unique_ptr<TaskTicket> own(static_cast<TaskTicket*>(argument));
  Bundle* bundle = own->bundle;
  codelets::RunStatus& status = bundle->submitter->status_;
  bundle->submitter->cpu_tasks_ -= own->for_cpu ? 1 : 0;
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
  if (!own->for_cpu && bundle->tasks_for_any.fetch_sub(1) == 1) {
    bundle->submitter->on_rest_for_cpus_();
  }
  bundle_task_ended(bundle);
}

void BundleSubmitter::unit_task_ended(void* argument) noexcept {
  auto* bundle = static_cast<Bundle*>(argument);
  codelets::RunStatus& status = bundle->submitter->status_;
  const std::optional<codelets::TaskRecord> record =
      codelets::unit_record_of(*starpu_task_get_current());
  if (record && !status.stopped()) {
    status.record(*record);
  }
  bundle_task_ended(bundle);
}

void BundleSubmitter::bundle_task_ended(Bundle* bundle) noexcept {
  BundleSubmitter* const submitter = bundle->submitter;
  if (bundle->tasks.fetch_sub(1) == 1) {
    submitter->on_done_();
  }
}

}  // namespace starhist::tasks
