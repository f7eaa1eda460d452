#include "tasks/cutting/frame_jobs.hh"

#include <algorithm>

#include "codelets/core/base/divide_up.hh"
#include "tasks/planning/cpu_share_plan.hh"
#include "tasks/planning/row_split.hh"

namespace starhist::tasks {
namespace {

/// The tasks of one species pair.
class PairJobs {
 public:
  PairJobs(PairId id, bool like, std::vector<CountJob>& jobs)
      : id_(id), like_(like), jobs_(jobs) {}

  bool like() const { return like_; }
  std::uint64_t pairs(const codelets::FrameSlice& slice, RowRange rows) const {
    return pairs_before(rows.end, slice.second_count, like_) -
           pairs_before(rows.begin, slice.second_count, like_);
  }
  std::vector<RowRange> split(const codelets::FrameSlice& slice, RowRange rows,
                              std::uint64_t pieces) const {
    return split_rows(rows, slice.second_count, like_, pieces);
  }

  /// Adds a separate task.
  void add(codelets::FrameSlice slice, RowRange rows, TaskTarget target) {
    slice.row_begin = rows.begin;
    slice.row_end = rows.end;
    jobs_.push_back({id_, pairs(slice, rows), {slice}, target});
  }
  /// Adds to a task shared with other frames until that has `enough` pairs.
  void add_to(CountJob& shared, codelets::FrameSlice slice, RowRange rows,
              std::uint64_t enough) {
    slice.row_begin = rows.begin;
    slice.row_end = rows.end;
    shared.slices.push_back(slice);
    shared.pairs += pairs(slice, rows);
    if (shared.pairs >= enough) {
      close(shared);
    }
  }
  void close(CountJob& shared) {
    if (shared.pairs > 0) {
      jobs_.push_back(std::move(shared));
      jobs_.back().pair = id_;
    }
    shared = {};
  }

  CountJob for_cpu;  ///< tasks that are still open to more frames
  CountJob for_any;

 private:
  PairId id_;
  bool like_;
  std::vector<CountJob>& jobs_;
};

/// The rows of a part; empty if there are more parts than rows.
RowRange rows_of(RowPart part, const codelets::FrameSlice& slice,
                 const PairJobs& pair) {
  const RowRange all{0, slice.first_count};
  if (part.all()) {
    return all;
  }
  const std::vector<RowRange> parts = pair.split(slice, all, part.count);
  return part.number < parts.size() ? parts[part.number] : RowRange();
}

void cut_for_cpus(const codelets::FrameSlice& slice, RowRange rows,
                  const BatchPlan& plan, PairJobs& pair) {
  const std::uint64_t pieces = pair.pairs(slice, rows) / plan.most_pairs_per_task + 1;
  if (pieces == 1) {
    constexpr std::uint64_t all_frames_of_a_batch = UINT64_MAX;
    pair.add_to(pair.for_any, slice, rows, all_frames_of_a_batch);
    return;
  }
  for (const RowRange piece : pair.split(slice, rows, pieces)) {
    pair.add(slice, piece, TaskTarget::any);
  }
}

/// Cuts rows from the front into tasks of CPU workers until the budget is used up.
void cut_rows_for_cpus(const codelets::FrameSlice& slice, std::uint64_t cpu_task,
                       PairJobs& pair, CpuBudget& budget, RowRange& rows) {
  const std::uint64_t pairs = pair.pairs(slice, rows);
  if (std::min(budget.share, budget.room) < static_cast<double>(cpu_task)) {
    return;
  }
  for (const RowRange piece : pair.split(slice, rows, pairs / cpu_task + 1)) {
    if (!budget.take(pair.pairs(slice, piece))) {
      return;
    }
    pair.add(slice, piece, TaskTarget::cpu);
    rows.begin = piece.end;
  }
}

void cut_for_gpus(const codelets::FrameSlice& slice, RowRange rows,
                  const BatchPlan& plan, PairJobs& pair, CpuBudget& budget,
                  ClusterCostModel* cost_model) {
  const std::uint64_t pairs = pair.pairs(slice, rows);
  const std::uint64_t cpu_task = cpu_task_pairs(plan, slice.second_count);
  if (pairs > cpu_task) {
    cut_rows_for_cpus(slice, cpu_task, pair, budget, rows);
  } else if (budget.take(pairs)) {
    pair.for_cpu.target = TaskTarget::cpu;
    pair.add_to(pair.for_cpu, slice, rows, cpu_task);
    return;
  }
  const std::uint64_t rest = pair.pairs(slice, rows);
  if (rest == 0) {
    return;
  }
  const std::uint64_t most = plan.most_pairs_per_gpu_task;
  if (rest <= most) {
    const bool large = pair.for_any.pairs + rest > 2 * cpu_task;
    pair.for_any.target = large || budget.gpus_only ? TaskTarget::gpu : TaskTarget::any;
    pair.add_to(pair.for_any, slice, rows, most);
    return;
  }
  // Rounding up must not add a task: each GPU gets equally many tasks of a single
  // frame.
  const std::uint64_t pieces = divide_up(rest, most);
  const bool by_cost = cost_model != nullptr && pair.like();
  for (const RowRange piece :
       by_cost ? cost_model->split_rows_for_gpus(rows, slice.first_count, pieces)
               : pair.split(slice, rows, pieces)) {
    pair.add(slice, piece, TaskTarget::gpu);
  }
}

/// Locations of the frames in the position handles, which hold them one after the
/// other.
std::vector<codelets::CompoundFrame> places_of(const std::vector<Frame>& frames,
                                               const SpeciesPair& pair) {
  std::vector<codelets::CompoundFrame> places;
  codelets::CompoundFrame place;
  for (const Frame& frame : frames) {
    place.first_offset += place.first_count;  // of the previous frame
    place.second_offset += place.second_count;
    place.image = frame.box.minimum_image();
    place.first_count = frame.particle_count(pair.first);
    place.second_count = frame.particle_count(pair.second);
    places.push_back(place);
  }
  return places;
}

}  // namespace

std::vector<CountJob> cut_frames(const HistogramLayout& layout,
                                 const LabelledPairs& labels,
                                 const std::vector<Frame>& frames, RowPart rows,
                                 const BatchBounds& bounds, const BatchPlan& plan,
                                 CpuBudget& budget, ClusterCostModel* cost_model) {
  const bool gpus = plan.most_pairs_per_gpu_task > 0;
  std::vector<CountJob> jobs;
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    if (labels.contains(PairId(p))) {
      continue;
    }
    const SpeciesPair& species = layout.pairs[p];
    PairJobs pair(PairId(p), species.like(), jobs);
    codelets::FrameSlice slice;
    for (std::size_t f = 0; f < frames.size(); ++f) {
      slice.image = frames[f].box.minimum_image();
      slice.first_offset += slice.first_count;  // of the previous frame
      slice.second_offset += slice.second_count;
      slice.first_count = frames[f].particle_count(species.first);
      slice.second_count = frames[f].particle_count(species.second);
      const RowRange part = rows_of(rows, slice, pair);
      if (pair.pairs(slice, part) == 0) {
        continue;
      }
      if (gpus) {
        slice.bounds = bounds[f][species.first.index()];
        slice.bounds.add(bounds[f][species.second.index()]);
        cut_for_gpus(slice, part, plan, pair, budget, cost_model);
      } else {
        cut_for_cpus(slice, part, plan, pair);
      }
    }
    pair.close(pair.for_cpu);
    pair.close(pair.for_any);
  }
  std::stable_sort(jobs.begin(), jobs.end(), [](const CountJob& a, const CountJob& b) {
    return a.pairs > b.pairs;
  });
  return jobs;
}

std::vector<CompoundJob> cut_compounds(const HistogramLayout& layout,
                                       const PairExclusions& exclusions,
                                       const std::vector<Frame>& frames,
                                       std::uint64_t most_pairs) {
  std::vector<CompoundJob> jobs;
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    const CompoundPairs& compounds = exclusions.compounds(PairId(p));
    if (compounds.pair_count() == 0) {
      continue;
    }
    const std::vector<codelets::CompoundFrame> places =
        places_of(frames, layout.pairs[p]);
    const std::size_t together = std::clamp<std::uint64_t>(
        most_pairs / compounds.pair_count(), 1, places.size());
    for (const CompoundPairs::Rows& rows : compounds.split(most_pairs)) {
      for (std::size_t f = 0; f < places.size(); f += together) {
        const std::size_t end = std::min(f + together, places.size());
        jobs.push_back({PairId(p),
                        rows,
                        {places.begin() + static_cast<std::ptrdiff_t>(f),
                         places.begin() + static_cast<std::ptrdiff_t>(end)}});
      }
    }
  }
  return jobs;
}

}  // namespace starhist::tasks
