#include "tasks/submission/counting_tasks.hh"

#include <algorithm>

#include "codelets/count_pairs_codelet.hh"
#include "codelets/labelled/count_labelled_pairs_codelet.hh"
#include "codelets/task_args.hh"
#include "tasks/submission/submit_task.hh"

namespace starhist::tasks {

CountingTasks::CountingTasks(Runtime& runtime, const HistogramLayout& layout,
                             codelets::RunStatus& status)
    : runtime_(runtime), layout_(layout), status_(status) {}

void CountingTasks::submit(const CountJob& job, const OrderedPositions& positions,
                           int priority, PendingBlock& block, SubmittedBatch& batch) {
  const SpeciesPair& pair = layout_.pairs[job.pair.index()];
  const std::string& name =
      names_.try_emplace(job.pair, pair_name(pair, layout_.species)).first->second;
  const bool clustered = positions.cost_model != nullptr;
  codelets::CountPairsArgs args;
  args.kind = pair.like() ? perfmodels::PairKind::like : perfmodels::PairKind::unlike;
  args.bins = layout_.bins.from_zero();
  args.size = {job.pairs, job.pairs, job.pairs, args.bins.count,
               static_cast<std::uint32_t>(job.slices.size())};
  if (clustered) {
    const codelets::FrameSlice& slice = job.slices.front();  // the other slices are
                                                             // alike
    std::optional<RowRange> rows;
    if (pair.like() && slice.row_end - slice.row_begin < slice.first_count) {
      rows = {slice.row_begin, slice.row_end};
    }
    positions.cost_model->set_evaluated(
        args.kind, slice.first_count, slice.second_count, args.size, rows,
        job.target != TaskTarget::gpu, runtime_.gpus() > 0);
  }
  args.threads = runtime_.threads_per_worker();
  args.clustered = clustered ? 1 : 0;
  args.same_frames = positions.number;
  args.status = &status_;
  args.scratch = positions.scratch;
  codelets::CountPairsCodelet& codelet = runtime_.count_pairs(
      args.kind, positions.geometry,
      clustered ? perfmodels::Order::spatial : perfmodels::Order::any);

  starpu_task* task = starpu_task_create();
  task->cl = codelet.get();
  task->name = name.c_str();
  codelets::set_task_args(*task, args, job.slices);
  set_buffers(*task, pair, *positions.handles, block.counts_handle(job.pair));
  if (!layout_.bins.uniform()) {
    task->where = STARPU_CPU;  // GPU kernels have bins of equal width only
  } else if (job.target != TaskTarget::any) {
    task->where = job.target == TaskTarget::gpu ? STARPU_CUDA : STARPU_CPU;
  }
  restrict_to(positions.workers, *task);
  task->priority = priority;
  // The model's measure of work: StarPU's GFlop/s are 10^9 evaluated pairs/s.
  task->flops = perfmodels::CountPairsModel::evaluated(args.size, STARPU_CUDA_WORKER);
  batch.watch_counting(*task, codelet.model(),
                       job.target == TaskTarget::cpu ? job.pairs : 0);
  submit_task(task, "submit the counting of " + name);
}

CompoundTasks::CompoundTasks(const HistogramLayout& layout,
                             const PairExclusions& exclusions, int threads,
                             codelets::RunStatus& status)
    : layout_(layout), exclusions_(exclusions), threads_(threads), status_(status) {}

codelets::CountCompoundPairsArgs CompoundTasks::args_of(const CompoundJob& job) const {
  codelets::CountCompoundPairsArgs args;
  args.compounds = &exclusions_.compounds(job.pair);
  args.rows = job.rows;
  args.bins = layout_.bins.from_zero();
  args.what = counts_only_same(layout_.exclusion) ? codelets::CompoundTask::add
                                                  : codelets::CompoundTask::subtract;
  args.threads = threads_;
  return args;
}

void CompoundTasks::submit(const CompoundJob& job, int priority, PendingBlock& block,
                           SubmittedBatch& batch) {
  const SpeciesPair& pair = layout_.pairs[job.pair.index()];
  codelets::CountCompoundPairsArgs args = args_of(job);
  args.status = &status_;
  starpu_task* task = starpu_task_create();
  task->cl = codelets::count_compound_pairs_codelet(
      pair.like() ? perfmodels::PairKind::like : perfmodels::PairKind::unlike);
  task->name =
      names_.try_emplace(job.pair, pair_name(pair, layout_.species) + " within units")
          .first->second.c_str();
  codelets::set_task_args(*task, args, job.frames);
  set_buffers(*task, pair, batch.positions(), block.counts_handle(job.pair));
  task->priority = priority;
  batch.watch_compounds(*task);
  submit_task(task,
              "submit the pairs within units of " + pair_name(pair, layout_.species));
}

void CompoundTasks::count_here(const CompoundJob& job, const std::vector<Frame>& frames,
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
  codelets::count_compound_pairs(args_of(job), job.frames, joined(pair.first).data(),
                                 joined(pair.second).data(),
                                 block.own_counts(job.pair));
}

LabelledPositions take_labelled_positions(const std::vector<Frame>& frames,
                                          const LabelledPairs& labels,
                                          PinnedPool& memory) {
  LabelledPositions batch;
  batch.label_begin.reserve(frames.size() * (labels.species.size() + 1));
  std::uint64_t particles = 0;
  for (const Frame& frame : frames) {
    codelets::LabelledFrame place;
    place.image = frame.box.minimum_image();
    place.offset = particles;
    batch.label_begin.push_back(0);
    for (const SpeciesId species : labels.species) {
      place.count += frame.particle_count(species);
      batch.label_begin.push_back(static_cast<std::uint32_t>(place.count));
    }
    particles += place.count;
    batch.frames.push_back(place);
  }
  for (std::size_t f = 0; f < frames.size(); ++f) {
    batch.frames[f].label_begin =
        batch.label_begin.data() + f * (labels.species.size() + 1);
  }
  batch.memory = memory.take(3 * particles * sizeof(double));
  auto* next = batch.memory->data<double>();
  for (const Frame& frame : frames) {
    for (const SpeciesId species : labels.species) {
      const auto& positions = frame.positions[species.index()];
      next = std::copy(positions.begin(), positions.end(), next);
    }
  }
  batch.handle = make_vector_handle(batch.memory->data<double>(), 3 * particles);
  return batch;
}

void LabelledTasks::submit(std::size_t group, std::uint64_t pairs, int priority,
                           PendingBlock& block, SubmittedBatch& batch) const {
  const LabelledPositions& positions = *batch.labelled();
  codelets::CountLabelledPairsArgs args;
  args.group = &labels_.groups[group];
  args.pairs = pairs;
  args.bins = layout_.bins.from_zero();
  args.threads = threads_;
  args.status = &status_;
  starpu_task* task = starpu_task_create();
  task->cl = codelets::count_labelled_pairs_codelet();
  task->name = "small species";
  codelets::set_task_args(*task, args, positions.frames);
  task->handles[0] = positions.handle.get();
  task->handles[1] = block.labelled_handle(group);
  task->priority = priority;
  batch.watch_labelled(*task);
  submit_task(task, "submit the counting of small species");
}

}  // namespace starhist::tasks
