#include "driver/ranks/rank_plan.hh"

#include <algorithm>

#include "codelets/core/base/divide_up.hh"
#include "tasks/planning/counting_speeds.hh"
#include "tasks/run_planner.hh"

namespace starhist::driver {

tasks::CountingOptions options_of_rank(const tasks::CountingOptions& options,
                                       std::uint64_t ranks) {
  tasks::CountingOptions own = options;
  own.frames = divide_up(own.frames, ranks);
  return own;
}

RankedFrames ranked_frames(tasks::Runtime& runtime, const HistogramLayout& layout,
                           const PairExclusions& exclusions,
                           const tasks::CountingOptions& options,
                           const RankWeights& weights, const Frame& frame) {
  RankedFrames frames;
  frames.begin = options.first_number;
  frames.end = frames.begin + options.frames;
  frames.frames_per_block = options.frames_per_block;
  frames.pairs_per_frame = exclusions.work(layout, frame);
  frames.smallest = layout.second ? SmallestUnit::frame : SmallestUnit::rows;
  if (frames.pairs_per_frame > 0 && row_parts(frames, weights) == 1) {
    const tasks::RunPlan plan = tasks::plan_run(
        runtime, layout, exclusions, options_of_rank(options, weights.size()), frame);
    frames.frames_per_batch = plan.batches.frames_per_batch;
    frames.seconds_per_frame =
        tasks::predicted_seconds(tasks::counting_speeds(plan.machine, plan.work),
                                 plan.work) /
        static_cast<double>(std::max<std::uint64_t>(plan.work.frames, 1));
  }
  return frames;
}

}  // namespace starhist::driver
