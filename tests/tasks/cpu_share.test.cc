#include "tasks/cutting/cpu_share.hh"

#include "tests/support/catch.hh"

namespace starhist {
namespace {

HistogramLayout one_species() {
  HistogramLayout layout;
  layout.species = {"A"};
  layout.pairs = all_pairs(1);
  layout.bins = make_bins(1.0, 10);
  return layout;
}

std::vector<Frame> frames_of(std::size_t count, std::size_t particles) {
  Frame frame;
  frame.positions.emplace_back(3 * particles, 0.0);
  return std::vector<Frame>(count, frame);
}

constexpr std::uint64_t pairs_of_two_frames = 2 * 5000ULL * 4999 / 2;

std::vector<Frame> two_frames() {
  return frames_of(2, 5000);
}

/// CPU workers count half of the pairs, in tasks of a million.
tasks::BatchPlan half_for_cpus() {
  tasks::BatchPlan plan;
  plan.most_pairs_per_task = 1'000'000;
  plan.most_pairs_per_gpu_task = 50'000'000;
  plan.cpu_share = 0.5;
  plan.last_frames_for_gpus = 20;
  plan.batches_in_flight = 4;
  plan.batches_of_cpus = 2;
  return plan;
}

TEST_CASE("CPU share: a large batch fills all workers' time and queues") {
  tasks::CpuShare share(3, 100);
  share.follow(half_for_cpus());
  const tasks::CpuBudget& budget = share.next_batch(one_species(), two_frames());
  CHECK(budget.share == 0.5 * pairs_of_two_frames);
  // 0.9 of 12.5 million in rounds of 3 million are 3.7 rounds, for four batches in
  // flight; two more are queued.
  CHECK(budget.room == (4 * 3 + 2) * 3e6);
  CHECK_FALSE(budget.gpus_only);
  for (int task = 0; task < 40; ++task) {
    share.task_submitted(1'000'000);
  }
  CHECK(share.next_batch(one_species(), two_frames()).room == 2e6);
}

TEST_CASE("CPU share: the only batch fills all workers' time, minus one task each") {
  tasks::CpuShare share(3, 2);
  tasks::BatchPlan plan = half_for_cpus();
  plan.last_frames_for_gpus = 0;
  share.follow(plan);
  CHECK(share.next_batch(one_species(), two_frames()).room == 2 * 3e6);
  for (int task = 0; task < 6; ++task) {
    share.task_submitted(1'000'000);
  }
  CHECK(share.next_batch(one_species(), two_frames()).room == 2 * 3e6);
}

TEST_CASE(
    "CPU share: a small batch yields a task when the last ones are nearly finished") {
  tasks::CpuShare share(3, 100);
  share.follow(half_for_cpus());
  share.set_share(0.1);  // less than a round
  const auto room = [&] { return share.next_batch(one_species(), two_frames()).room; };
  CHECK(room() == 6e6);  // two tasks for each worker
  for (const double left : {5e6, 4e6, 3e6, 2e6, 1e6, 0.0, 0.0}) {
    share.task_submitted(1'000'000);
    CHECK(room() == left);
  }
  share.task_ended(1'000'000);
  share.task_ended(500'000);
  CHECK(room() == 0.5e6);
}

TEST_CASE("CPU share: unused shares are kept up to one task per worker") {
  tasks::CpuShare share(3, 100);
  share.follow(half_for_cpus());
  const double fair = 0.5 * pairs_of_two_frames;
  tasks::CpuBudget& budget = share.next_batch(one_species(), two_frames());
  CHECK_FALSE(budget.take(pairs_of_two_frames));
  CHECK(budget.share == fair);
  CHECK(share.next_batch(one_species(), two_frames()).share == fair + 3e6);
  CHECK(budget.take(static_cast<std::uint64_t>(fair)));
  CHECK(share.next_batch(one_species(), two_frames()).share == fair + 3e6);
  budget.share = 100.0;
  CHECK(share.next_batch(one_species(), two_frames()).share == fair + 100.0);
}

TEST_CASE("CPU share: a task needs both the share and the room") {
  tasks::CpuBudget budget{100.0, 60.0};
  CHECK(budget.take(40));
  CHECK_FALSE(budget.take(21));  // more than the room
  CHECK(budget.take(20));
  CHECK(budget.share == 40.0);
  CHECK(budget.room == 0.0);
  CHECK_FALSE(budget.take(1));
  budget.room = 100.0;
  CHECK_FALSE(budget.take(41));  // more than the share
  CHECK(budget.take(40));
}

TEST_CASE("CPU share: the last frames are reserved for GPUs") {
  tasks::CpuShare share(3, 100);
  share.follow(half_for_cpus());
  share.pass_frames(79);
  CHECK_FALSE(share.next_batch(one_species(), two_frames()).gpus_only);
  share.pass_frames(1);
  CHECK(share.next_batch(one_species(), two_frames()).gpus_only);
  CHECK(share.next_batch(one_species(), two_frames()).room == 0.0);
  tasks::CpuShare endless(3, 0);
  endless.follow(half_for_cpus());
  endless.pass_frames(1000);
  CHECK_FALSE(endless.next_batch(one_species(), two_frames()).gpus_only);
}

TEST_CASE("CPU share: batches with only CPU tasks delay few others") {
  tasks::CpuShare share(3, 100);
  share.follow(half_for_cpus());
  CHECK(share.further_batches() == 0);
  for (const std::uint64_t further : {1U, 2U, 2U}) {
    share.batch_left_to_cpus();
    CHECK(share.further_batches() == further);
  }
  share.batch_ended();
  CHECK(share.further_batches() == 2);
  share.batch_ended();
  CHECK(share.further_batches() == 1);
}

TEST_CASE("CPU share: empty without GPUs") {
  tasks::CpuShare share(3, 100);
  tasks::BatchPlan plan;
  plan.most_pairs_per_task = 1'000'000;
  share.follow(plan);
  CHECK_FALSE(share.wanted());
  const tasks::CpuBudget& budget = share.next_batch(one_species(), two_frames());
  CHECK(budget.share == 0.0);
  CHECK(budget.room == 0.0);
  share.batch_left_to_cpus();
  CHECK(share.further_batches() == 0);
}

}  // namespace
}  // namespace starhist
