#include "tasks/submission/compound_tasks.hh"

#include "codelets/task_args.hh"
#include "tasks/submission/submit_task.hh"

namespace starhist::tasks {

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

}  // namespace starhist::tasks
