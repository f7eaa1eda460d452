#include "tasks/run_planner.hh"

#include <algorithm>

#include "tasks/planning/counting_speeds.hh"
#include "tasks/planning/cpu_share_plan.hh"
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

bool RunPlanner::covers(const Frame& frame) const {
  return plan_ && frame.particle_count() <= 2 * particles_;
}

Workload RunPlanner::workload(const Frame& frame, RowPart rows) const {
  Workload work = workload_of(layout_, exclusions_, options_, frame, labels_);
  work.row_parts = rows.count;
  return work;
}

void RunPlanner::plan_for(const Frame& frame, RowPart rows) {
  if (!plan_) {
    labels_ = frame.on_gpu ? LabelledPairs()
                           : choose_labelled_pairs(runtime_workers(runtime_), layout_,
                                                   options_, frame);
  }
  const Workload work = workload(frame, rows);
  const MachineSpeeds machine = runtime_speeds(runtime_, work);
  plan_ =
      plan_batches(machine, work, options_.memory_bytes, options_.most_pairs_per_task);
  provisional_ = machine.gpus > 0 &&
                 !perfmodels::is_measured(counting_speeds(machine, work).gpu_source);
  cpu_share_.follow(*plan_);
  particles_ = frame.particle_count();
}

void RunPlanner::follow_speeds(const Frame& frame, RowPart rows) {
  if (!provisional_ && !cpu_share_.wanted()) {
    return;
  }
  const Workload work = workload(frame, rows);
  const MachineSpeeds machine = runtime_speeds(runtime_, work);
  if (provisional_) {
    if (const auto plan =
            plan_with_measured_speeds(*plan_, machine, work, options_.memory_bytes,
                                      options_.most_pairs_per_task)) {
      plan_ = plan;
      provisional_ = false;
      cpu_share_.follow(*plan_);
    }
  }
  if (cpu_share_.wanted()) {
    cpu_share_.set_share(cpu_share(counting_speeds(
        machine, work,
        plan_->clustered ? perfmodels::Order::spatial : perfmodels::Order::any)));
  }
}

std::uint64_t RunPlanner::frames_of_batch(std::uint64_t number) const {
  constexpr std::uint64_t halvings = 3;
  const std::uint64_t smaller =
      runtime_.cuda_workers() > 0 ? halvings - std::min(number, halvings) : 0;
  return std::max<std::uint64_t>(plan_->frames_per_batch >> smaller, 1);
}

bool RunPlanner::is_large(const Frame& frame) const {
  return exclusions_.work(layout_, frame) >= plan_->most_pairs_per_gpu_task;
}

}  // namespace starhist::tasks
