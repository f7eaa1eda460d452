#include "tasks/planning/frame_jobs.hh"

#include <algorithm>

#include "codelets/core/base/divide_up.hh"
#include "tasks/planning/row_split.hh"

namespace starhist::tasks {
namespace {

/// A CPU task converts all columns to fixed point: so many rows make that worth while.
constexpr std::uint64_t least_rows_per_cpu_task = 64;

}  // namespace

/// The tasks of one species pair.
class FrameJobs::Pair {
 public:
  Pair(PairId id, bool like, std::vector<CountJob>& jobs)
      : id_(id), like_(like), jobs_(jobs) {}

  bool like() const { return like_; }
  std::uint64_t pairs(const codelets::FramePart& part, RowRange rows) const {
    return pairs_before(rows.end, part.second_count, like_) -
           pairs_before(rows.begin, part.second_count, like_);
  }
  std::vector<RowRange> split(const codelets::FramePart& part, RowRange rows,
                              std::uint64_t pieces) const {
    return split_rows(rows, part.second_count, like_, pieces);
  }

  /// A task of its own.
  void add(codelets::FramePart part, RowRange rows, Place place) {
    part.row_begin = rows.begin;
    part.row_end = rows.end;
    jobs_.push_back({id_, pairs(part, rows), {part}, place});
  }
  /// Shares a task with other frames until that has `enough` pairs.
  void add_to(CountJob& shared, codelets::FramePart part, RowRange rows,
              std::uint64_t enough) {
    part.row_begin = rows.begin;
    part.row_end = rows.end;
    shared.parts.push_back(part);
    shared.pairs += pairs(part, rows);
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
                                     const BundleBounds& bounds, const WorkPlan& plan,
                                     std::uint64_t most_cpu_tasks) {
  cpu_room_ = most_cpu_tasks;
  const bool gpus = plan.most_pairs_per_gpu_task > 0;
  if (gpus) {
    std::uint64_t bundle_pairs = 0;
    for (const Frame& frame : frames) {
      bundle_pairs += pair_count(layout_, frame);
    }
    // What they could not take in time they need not take later.
    const double share = plan.cpu_share * static_cast<double>(bundle_pairs);
    const double most = 2.0 * static_cast<double>(plan.most_pairs_per_task);
    cpu_credit_ = std::min(cpu_credit_, most) + share;
  }
  std::vector<CountJob> jobs;
  for (std::uint32_t p = 0; p < layout_.pairs.size(); ++p) {
    const SpeciesPair& species = layout_.pairs[p];
    Pair pair(PairId(p), species.like(), jobs);
    codelets::FramePart part;
    for (std::size_t f = 0; f < frames.size(); ++f) {
      part.image = frames[f].box.minimum_image();
      part.first_offset += part.first_count;  // of the frame before
      part.second_offset += part.second_count;
      part.first_count = frames[f].particle_count(species.first);
      part.second_count = frames[f].particle_count(species.second);
      if (pair.pairs(part, {0, part.first_count}) == 0) {
        continue;
      }
      if (gpus) {
        part.bounds = bounds[f][species.first.index()];
        part.bounds.add(bounds[f][species.second.index()]);
        cut_for_gpus(part, plan, pair);
      } else {
        cut_for_cpus(part, plan, pair);
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

std::uint64_t FrameJobs::cpu_task_pairs(const WorkPlan& plan, std::uint64_t columns) {
  return std::max(plan.most_pairs_per_task, least_rows_per_cpu_task * columns);
}

void FrameJobs::cut_for_cpus(const codelets::FramePart& part, const WorkPlan& plan,
                             Pair& pair) const {
  const RowRange rows{0, part.first_count};
  const std::uint64_t pieces = pair.pairs(part, rows) / plan.most_pairs_per_task + 1;
  if (pieces == 1) {
    constexpr std::uint64_t all_frames_of_a_bundle = UINT64_MAX;
    pair.add_to(pair.for_any, part, rows, all_frames_of_a_bundle);
    return;
  }
  for (const RowRange piece : pair.split(part, rows, pieces)) {
    pair.add(part, piece, Place::any);
  }
}

void FrameJobs::cut_for_gpus(const codelets::FramePart& part, const WorkPlan& plan,
                             Pair& pair) {
  RowRange rows{0, part.first_count};
  const std::uint64_t pairs = pair.pairs(part, rows);
  const std::uint64_t cpu_task = cpu_task_pairs(plan, part.second_count);
  const bool begun = pair.for_cpu.pairs > 0;
  if ((begun || cpu_room_ > 0) && pairs <= cpu_task &&
      cpu_credit_ >= static_cast<double>(pairs)) {
    cpu_credit_ -= static_cast<double>(pairs);
    pair.for_cpu.place = Place::cpu;
    cpu_room_ -= begun ? 0 : 1;
    pair.add_to(pair.for_cpu, part, rows, cpu_task);
    return;
  }
  if (cpu_room_ > 0 && pairs > cpu_task &&
      cpu_credit_ >= static_cast<double>(cpu_task)) {
    for (const RowRange piece : pair.split(part, rows, pairs / cpu_task + 1)) {
      const std::uint64_t piece_pairs = pair.pairs(part, piece);
      if (cpu_room_ == 0 || cpu_credit_ < static_cast<double>(piece_pairs)) {
        break;
      }
      --cpu_room_;
      cpu_credit_ -= static_cast<double>(piece_pairs);
      pair.add(part, piece, Place::cpu);
      rows.begin = piece.end;
    }
  }
  const std::uint64_t rest = pair.pairs(part, rows);
  if (rest == 0) {
    return;
  }
  const std::uint64_t most = plan.most_pairs_per_gpu_task;
  if (rest <= most) {
    const bool large = pair.for_any.pairs + rest > 2 * cpu_task;
    pair.for_any.place = large || plan.gpus_only ? Place::gpu : Place::any;
    pair.add_to(pair.for_any, part, rows, most);
    return;
  }
  // Not one more: of a single frame each GPU gets equally many.
  for (const RowRange piece : pair.split(part, rows, divide_up(rest, most))) {
    pair.add(part, piece, Place::gpu);
  }
}

}  // namespace starhist::tasks
