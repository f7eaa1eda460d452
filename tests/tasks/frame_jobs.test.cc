#include "tasks/cutting/frame_jobs.hh"

#include <map>

#include "tests/support/catch.hh"
#include "tests/support/random.hh"
#include "tests/tasks/trajectories.hh"

namespace starhist {
namespace {

std::vector<Frame> frames_of(std::size_t count, std::initializer_list<std::size_t> ns) {
  testing::Random random(91);
  std::vector<Frame> frames(count);
  for (Frame& frame : frames) {
    frame.box = testing::cubic_box(1.0);
    for (const std::size_t n : ns) {
      frame.positions.push_back(testing::random_positions(random, frame.box, n));
    }
  }
  return frames;
}

std::vector<std::vector<kernels::Bounds>> no_bounds(const std::vector<Frame>& frames) {
  return std::vector<std::vector<kernels::Bounds>>(
      frames.size(), std::vector<kernels::Bounds>(frames.front().positions.size()));
}

/// "" if every row of every pair of every frame is in exactly one part of one job, and
/// the jobs' numbers of pairs are correct.
std::string coverage_problem(const HistogramLayout& layout,
                             const std::vector<Frame>& frames,
                             const std::vector<tasks::CountJob>& jobs) {
  std::map<std::pair<std::size_t, std::uint64_t>, std::vector<int>> rows;
  for (const tasks::CountJob& job : jobs) {
    std::uint64_t pairs = 0;
    const bool like = layout.pairs[job.pair.index()].like();
    for (const codelets::FrameSlice& slice : job.slices) {
      auto& times = rows[{job.pair.index(), slice.first_offset}];
      times.resize(slice.first_count);
      for (std::uint64_t row = slice.row_begin; row < slice.row_end; ++row) {
        ++times[row];
        pairs += like ? slice.first_count - 1 - row : slice.second_count;
      }
    }
    if (pairs != job.pairs) {
      return "a job of " + std::to_string(job.pairs) + " pairs has " +
             std::to_string(pairs);
    }
  }
  for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
    const bool like = layout.pairs[p].like();
    std::uint64_t offset = 0;
    for (const Frame& frame : frames) {
      const std::uint64_t n = frame.particle_count(layout.pairs[p].first);
      const std::uint64_t m = frame.particle_count(layout.pairs[p].second);
      const std::uint64_t with_pairs = m == 0 ? 0
                                       : like ? n - std::min<std::uint64_t>(n, 1)
                                              : n;
      for (std::uint64_t row = 0; row < with_pairs; ++row) {
        const auto& times = rows[{p, offset}];
        if (row >= times.size() || times[row] != 1) {
          return "pair " + std::to_string(p) + ", row " + std::to_string(row);
        }
      }
      offset += n;
    }
  }
  return "";
}

constexpr double enough_room = 1e300;

HistogramLayout layout_of(std::size_t species) {
  HistogramLayout layout;
  for (std::size_t s = 0; s < species; ++s) {
    layout.species.push_back(std::string(1, static_cast<char>('A' + s)));
  }
  layout.pairs = all_pairs(species);
  layout.bins = make_bins(0.5, 10);
  return layout;
}

/// Cuts batch after batch, with varying room for the pairs of CPU tasks.
class Cutter {
 public:
  explicit Cutter(const HistogramLayout& layout) : layout_(layout) {}

  std::vector<tasks::CountJob> cut(const std::vector<Frame>& frames,
                                   const tasks::BatchBounds& bounds,
                                   const tasks::BatchPlan& plan, double room,
                                   bool gpus_only = false, RowPart rows = {}) {
    share_.follow(plan);
    tasks::CpuBudget& budget = share_.next_batch(layout_, frames);
    budget.room = room;
    budget.gpus_only = gpus_only;
    return tasks::cut_frames(layout_, {}, frames, rows, bounds, plan, budget);
  }

 private:
  const HistogramLayout& layout_;
  tasks::CpuShare share_{1, 0};
};

TEST_CASE("every pair is in one task, for any plan") {
  const HistogramLayout layout = layout_of(3);
  const std::vector<Frame> frames = frames_of(7, {400, 3, 150});
  for (const std::uint64_t cpu_task : {1ULL, 5000ULL, 1000000ULL}) {
    for (const std::uint64_t gpu_task : {0ULL, 7000ULL, 100000ULL, 1000000000ULL}) {
      for (const double share : {0.0, 0.1, 0.9, 1.0}) {
        tasks::BatchPlan plan;
        plan.most_pairs_per_task = cpu_task;
        plan.most_pairs_per_gpu_task = gpu_task;
        plan.cpu_share = share;
        Cutter cutter(layout);
        for (int batch = 0; batch < 3; ++batch) {
          INFO(cpu_task << ", " << gpu_task << ", " << share << ", " << batch);
          CHECK(coverage_problem(
                    layout, frames,
                    cutter.cut(frames, no_bounds(frames), plan, enough_room)) == "");
        }
      }
    }
  }
}

TEST_CASE("every pair is in one of the parts of the rows") {
  const HistogramLayout layout = layout_of(3);
  const std::vector<Frame> frames = frames_of(1, {400, 3, 150});
  for (const std::uint32_t parts : {1U, 2U, 7U, 64U}) {
    for (const std::uint64_t gpu_task : {0ULL, 7000ULL, 1000000000ULL}) {
      INFO(parts << ", " << gpu_task);
      tasks::BatchPlan plan;
      plan.most_pairs_per_task = 5000;
      plan.most_pairs_per_gpu_task = gpu_task;
      plan.cpu_share = 0.5;
      Cutter cutter(layout);
      std::vector<tasks::CountJob> jobs;
      std::uint64_t most = 0;
      for (std::uint32_t part = 0; part < parts; ++part) {
        std::uint64_t pairs = 0;
        for (tasks::CountJob& job : cutter.cut(frames, no_bounds(frames), plan,
                                               enough_room, false, {part, parts})) {
          pairs += job.pairs;
          jobs.push_back(std::move(job));
        }
        most = std::max(most, pairs);
      }
      CHECK(coverage_problem(layout, frames, jobs) == "");
      CHECK(most < 200'000 / parts + 2000);  // of 152 631 pairs
    }
  }
}

TEST_CASE("CPU workers get their share in small tasks, GPUs the rest in large ones") {
  const HistogramLayout layout = layout_of(1);
  const std::vector<Frame> frames = frames_of(2, {20'000});
  tasks::BatchPlan plan;
  plan.most_pairs_per_task = 2'000'000;
  plan.most_pairs_per_gpu_task = 50'000'000;
  plan.cpu_share = 0.1;
  Cutter cutter(layout);
  double small = 0.0;
  double large = 0.0;
  for (int batch = 0; batch < 5; ++batch) {
    for (const tasks::CountJob& job :
         cutter.cut(frames, no_bounds(frames), plan, enough_room)) {
      const bool for_gpu = job.target == tasks::TaskTarget::gpu;
      (for_gpu ? large : small) += static_cast<double>(job.pairs);
      CHECK(job.target != tasks::TaskTarget::any);
      CHECK(job.pairs <= (for_gpu ? 51'000'000U : 2'100'000U));
    }
  }
  CHECK(small / (small + large) == Approx(0.1).margin(0.005));
}

TEST_CASE("CPU workers get no more tasks than they have room for") {
  const HistogramLayout layout = layout_of(1);
  const std::vector<Frame> frames = frames_of(2, {5'000});
  tasks::BatchPlan plan;
  plan.most_pairs_per_task = 1'000'000;
  plan.most_pairs_per_gpu_task = 50'000'000;
  plan.cpu_share = 0.5;
  for (const std::uint64_t room : {0U, 1U, 5U}) {  // in tasks
    Cutter cutter(layout);
    std::uint64_t cpu_tasks = 0;
    const auto jobs =
        cutter.cut(frames, no_bounds(frames), plan, static_cast<double>(room) * 1e6);
    for (const tasks::CountJob& job : jobs) {
      cpu_tasks += job.target == tasks::TaskTarget::cpu ? 1 : 0;
    }
    CHECK(cpu_tasks == room);
    CHECK(coverage_problem(layout, frames, jobs) == "");
  }
}

TEST_CASE("small frames share a task until it fills a GPU") {
  const HistogramLayout layout = layout_of(1);
  const std::vector<Frame> frames = frames_of(100, {100});
  tasks::BatchPlan plan;
  plan.most_pairs_per_task = 1'000'000;
  plan.most_pairs_per_gpu_task = 100'000;
  Cutter cutter(layout);
  const auto jobs = cutter.cut(frames, no_bounds(frames), plan, enough_room);
  CHECK(jobs.size() == 5);  // 21 frames of 4950 pairs make 103 950
  CHECK(jobs.front().slices.size() == 21);
  CHECK(jobs.front().target == tasks::TaskTarget::any);
  for (const tasks::CountJob& job :
       cutter.cut(frames, no_bounds(frames), plan, 0, true)) {
    CHECK(job.target == tasks::TaskTarget::gpu);
  }
}

TEST_CASE("a giant frame: equally many tasks of about equal size for each GPU") {
  const HistogramLayout layout = layout_of(1);
  const std::vector<Frame> frames = frames_of(1, {40'000});
  tasks::BatchPlan plan;
  plan.most_pairs_per_task = 1'000'000;
  plan.most_pairs_per_gpu_task = (pair_count(layout, frames.front()) + 31) / 32;
  Cutter cutter(layout);
  const auto jobs = cutter.cut(frames, no_bounds(frames), plan, 0);
  CHECK(jobs.size() == 32);
  CHECK(jobs.front().pairs - jobs.back().pairs < jobs.back().pairs / 20);
}

TEST_CASE("GPU tasks have the bounds of both species") {
  const HistogramLayout layout = layout_of(2);
  const std::vector<Frame> frames = frames_of(1, {10, 10});
  tasks::BatchPlan plan;
  plan.most_pairs_per_task = 1;
  plan.most_pairs_per_gpu_task = 1000;
  std::vector<std::vector<kernels::Bounds>> bounds(1);
  bounds[0] = {{{0, 0, 0}, {1, 2, 3}}, {{-1, 1, 1}, {0, 1, 9}}};
  Cutter cutter(layout);
  for (const tasks::CountJob& job : cutter.cut(frames, bounds, plan, 4)) {
    if (!layout.pairs[job.pair.index()].like()) {
      CHECK(job.slices[0].bounds.low == Vec3{-1, 0, 0});
      CHECK(job.slices[0].bounds.high == Vec3{1, 2, 9});
    }
  }
}

}  // namespace
}  // namespace starhist
