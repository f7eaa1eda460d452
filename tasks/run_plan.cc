#include "tasks/run_plan.hh"

#include "tasks/planning/labelled_plan.hh"
#include "tasks/runtime/runtime_speeds.hh"

namespace starhist::tasks {

RunPlan plan_run(Runtime& runtime, const HistogramLayout& layout,
                 const PairExclusions& exclusions, const CountingOptions& options,
                 const Frame& frame) {
  RunPlan plan;
  plan.labels = choose_labelled_pairs(runtime_workers(runtime), layout, options, frame);
  plan.work = workload_of(layout, exclusions, options, frame, plan.labels);
  plan.machine = runtime_speeds(runtime, plan.work);
  plan.batches = plan_batches(plan.machine, plan.work, options.memory_bytes,
                              options.most_pairs_per_task);
  return plan;
}

}  // namespace starhist::tasks
