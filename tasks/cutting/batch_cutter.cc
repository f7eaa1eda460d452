#include "tasks/cutting/batch_cutter.hh"

#include <algorithm>

#include "codelets/core/base/contract.hh"
#include "tasks/planning/labelled_plan.hh"

namespace starhist::tasks {

std::size_t BatchJobs::labelled_tasks() const {
  return labelled.size() -
         static_cast<std::size_t>(std::count(labelled.begin(), labelled.end(), 0));
}

std::size_t BatchJobs::for_any_worker() const {
  return static_cast<std::size_t>(
      std::count_if(counting.begin(), counting.end(),
                    [](const CountJob& job) { return job.target != TaskTarget::cpu; }));
}

void BatchCutter::look_at(const Frame& frame) {
  if (cost_model_) {
    cost_model_->set_frame(frame);
  } else {
    cost_model_.emplace(frame, layout_.bins.r_max);
  }
}

void BatchCutter::prepare(const Frame& frame, const BatchPlan& plan) {
  if (cost_model_ || !plan.clustered || plan.most_pairs_per_gpu_task == 0) {
    return;
  }
  look_at(frame);
  for (std::uint32_t p = 0; p < layout_.pairs.size(); ++p) {
    const SpeciesPair& pair = layout_.pairs[p];
    if (pair.like() &&
        pair_count(layout_, frame, PairId(p)) > plan.most_pairs_per_gpu_task) {
      // The cost model keeps the near pairs by row.
      const std::uint64_t count = frame.particle_count(pair.first);
      cost_model_->split_rows_for_gpus({0, count}, count, 1);
    }
  }
}

BatchJobs BatchCutter::cut(const std::vector<Frame>& frames, RowPart rows,
                           const BatchBounds& bounds, const BatchPlan& plan) {
  STARHIST_EXPECT(!frames.empty(), "a batch has a frame");
  const bool on_gpu = frames.front().on_gpu != nullptr;
  BatchJobs jobs;
  jobs.geometry = perfmodels::geometry_of(frames.front().box, layout_.bins);
  if (plan.clustered) {
    look_at(frames.front());
    jobs.cost_model = &*cost_model_;
  }
  if (on_gpu) {
    CpuBudget for_gpus_only{0.0, 0.0, true};
    jobs.counting = cut_frames(layout_, {}, frames, rows, bounds, plan, for_gpus_only,
                               jobs.cost_model);
  } else if (!counts_only_same(layout_.exclusion)) {
    jobs.counting = cut_frames(layout_, labels_, frames, rows, bounds, plan,
                               cpu_share_.next_batch(layout_, frames), jobs.cost_model);
  }
  if (rows.number == 0) {
    jobs.compounds =
        cut_compounds(layout_, exclusions_, frames, plan.most_pairs_per_task);
    if (!on_gpu) {
      jobs.labelled = pairs_of_groups(layout_, labels_, frames);
    }
  }
  return jobs;
}

}  // namespace starhist::tasks
