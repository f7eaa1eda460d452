#include "tasks/submission/counting_tasks.hh"

#include "codelets/count_pairs_codelet.hh"
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

}  // namespace starhist::tasks
