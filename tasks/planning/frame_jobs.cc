#include "tasks/planning/frame_jobs.hh"

#include <algorithm>

#include "codelets/core/base/divide_up.hh"
#include "tasks/planning/row_split.hh"

namespace starhist::tasks {

/// The tasks of one species pair.
class FrameJobs::Pair {
 public:
  Pair(PairId id, bool like, std::vector<CountJob>& jobs)
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

  /// A task of its own.
  void add(codelets::FrameSlice slice, RowRange rows, TaskTarget target) {
    slice.row_begin = rows.begin;
    slice.row_end = rows.end;
    jobs_.push_back({id_, pairs(slice, rows), {slice}, target});
  }
  /// Shares a task with other frames until that has `enough` pairs.
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

  CountJob for_cpu;  ///< tasks that are still shared
  CountJob for_any;

 private:
  PairId id_;
  bool like_;
  std::vector<CountJob>& jobs_;
};

std::vector<CountJob> FrameJobs::cut(const std::vector<Frame>& frames,
                                     const BatchBounds& bounds, const BatchPlan& plan,
                                     std::uint64_t most_cpu_tasks) {
  cpu_room_ = most_cpu_tasks;
  const bool gpus = plan.most_pairs_per_gpu_task > 0;
  if (gpus) {
    std::uint64_t batch_pairs = 0;
    for (const Frame& frame : frames) {
      batch_pairs += pair_count(layout_, frame);
    }
    // What they could not take in time they need not take later.
    const double share = plan.cpu_share * static_cast<double>(batch_pairs);
    const double most = 2.0 * static_cast<double>(plan.most_pairs_per_task);
    cpu_credit_ = std::min(cpu_credit_, most) + share;
  }
  std::vector<CountJob> jobs;
  for (std::uint32_t p = 0; p < layout_.pairs.size(); ++p) {
    const SpeciesPair& species = layout_.pairs[p];
    Pair pair(PairId(p), species.like(), jobs);
    codelets::FrameSlice slice;
    for (std::size_t f = 0; f < frames.size(); ++f) {
      slice.image = frames[f].box.minimum_image();
      slice.first_offset += slice.first_count;  // of the frame before
      slice.second_offset += slice.second_count;
      slice.first_count = frames[f].particle_count(species.first);
      slice.second_count = frames[f].particle_count(species.second);
      if (pair.pairs(slice, {0, slice.first_count}) == 0) {
        continue;
      }
      if (gpus) {
        slice.bounds = bounds[f][species.first.index()];
        slice.bounds.add(bounds[f][species.second.index()]);
        cut_for_gpus(slice, plan, pair);
      } else {
        cut_for_cpus(slice, plan, pair);
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

void FrameJobs::cut_for_cpus(const codelets::FrameSlice& slice, const BatchPlan& plan,
                             Pair& pair) const {
  const RowRange rows{0, slice.first_count};
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

void FrameJobs::cut_for_gpus(const codelets::FrameSlice& slice, const BatchPlan& plan,
                             Pair& pair) {
  RowRange rows{0, slice.first_count};
  const std::uint64_t pairs = pair.pairs(slice, rows);
  const std::uint64_t cpu_task = cpu_task_pairs(plan, slice.second_count);
  const bool begun = pair.for_cpu.pairs > 0;
  if ((begun || cpu_room_ > 0) && pairs <= cpu_task &&
      cpu_credit_ >= static_cast<double>(pairs)) {
    cpu_credit_ -= static_cast<double>(pairs);
    pair.for_cpu.target = TaskTarget::cpu;
    cpu_room_ -= begun ? 0 : 1;
    pair.add_to(pair.for_cpu, slice, rows, cpu_task);
    return;
  }
  if (cpu_room_ > 0 && pairs > cpu_task &&
      cpu_credit_ >= static_cast<double>(cpu_task)) {
    for (const RowRange piece : pair.split(slice, rows, pairs / cpu_task + 1)) {
      const std::uint64_t piece_pairs = pair.pairs(slice, piece);
      if (cpu_room_ == 0 || cpu_credit_ < static_cast<double>(piece_pairs)) {
        break;
      }
      --cpu_room_;
      cpu_credit_ -= static_cast<double>(piece_pairs);
      pair.add(slice, piece, TaskTarget::cpu);
      rows.begin = piece.end;
    }
  }
  const std::uint64_t rest = pair.pairs(slice, rows);
  if (rest == 0) {
    return;
  }
  const std::uint64_t most = plan.most_pairs_per_gpu_task;
  if (rest <= most) {
    const bool large = pair.for_any.pairs + rest > 2 * cpu_task;
    pair.for_any.target = large || plan.gpus_only ? TaskTarget::gpu : TaskTarget::any;
    pair.add_to(pair.for_any, slice, rows, most);
    return;
  }
  // Not one more: of a single frame each GPU gets equally many.
  for (const RowRange piece : pair.split(slice, rows, divide_up(rest, most))) {
    pair.add(slice, piece, TaskTarget::gpu);
  }
}

}  // namespace starhist::tasks
