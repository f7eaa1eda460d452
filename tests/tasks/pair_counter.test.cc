// Whatever StarPU does with the tasks, the blocks are those of the reference kernel.
#include "tasks/pair_counter.hh"

#include <algorithm>

#include "tests/support/catch.hh"
#include "tests/support/starpu_environment.hh"
#include "tests/tasks/trajectories.hh"

namespace starhist {
namespace {

using testing::counted_blocks;
using testing::difference;
using testing::expected_blocks;
using testing::StarpuEnvironment;
using testing::Trajectory;

/// Counts with all sizes of tasks and blocks under one scheduler.
void check_scheduler(const char* scheduler) {
  const StarpuEnvironment environment;
  environment.set("STARPU_SCHED", scheduler);
  const Trajectory trajectory = testing::random_trajectory(91, 8);
  for (const std::uint32_t frames_per_block : {1U, 3U, 100U}) {
    const auto expected = expected_blocks(trajectory, frames_per_block);
    for (const char* workers : {"1", "2"}) {
      for (const tasks::CpuMode mode : {tasks::CpuMode::core, tasks::CpuMode::team}) {
        environment.set("STARPU_NCPU", workers);
        tasks::Runtime runtime(mode);
        REQUIRE(std::to_string(runtime.workers().size()) == workers);
        REQUIRE(runtime.scheduler() == scheduler);
        for (const std::uint64_t most_pairs_per_task : {0U, 1000U, 77U}) {
          INFO(workers << (mode == tasks::CpuMode::core ? " cores, " : " teams, ")
                       << most_pairs_per_task << " pairs per task, " << frames_per_block
                       << " frames per block");
          tasks::CountingOptions options;
          options.frames = trajectory.frames.size();
          options.frames_per_block = frames_per_block;
          options.most_pairs_per_task = most_pairs_per_task;
          for (const tasks::Tiles tiles : {tasks::Tiles::off, tasks::Tiles::on}) {
            options.tiles = tiles;
            CHECK(difference(counted_blocks(runtime, trajectory, options), expected) ==
                  "");
          }
        }
      }
    }
  }
}

TEST_CASE("the counts of scheduler eager") {
  check_scheduler("eager");
}
TEST_CASE("the counts of scheduler lws") {
  check_scheduler("lws");
}
TEST_CASE("the counts of scheduler random") {
  check_scheduler("random");
}
TEST_CASE("the counts of scheduler dmda") {
  check_scheduler("dmda");
}
TEST_CASE("the counts of scheduler dmdas") {
  check_scheduler("dmdas");
}

TEST_CASE("bundles of many small frames, whatever number was expected") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  tasks::Runtime runtime(tasks::CpuMode::core);
  const Trajectory trajectory = testing::random_trajectory(92, 200);
  for (const std::uint32_t frames_per_block : {7U, 100U, 1000U}) {
    const auto expected = expected_blocks(trajectory, frames_per_block);
    for (const std::uint64_t expected_frames : {0U, 200U, 1'000'000U}) {
      INFO(expected_frames << " frames expected, " << frames_per_block << " per block");
      tasks::CountingOptions options;
      options.frames = expected_frames;
      options.frames_per_block = frames_per_block;
      CHECK(difference(counted_blocks(runtime, trajectory, options), expected) == "");
    }
  }
}

TEST_CASE("the order of the frames does not show in the total") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  tasks::Runtime runtime(tasks::CpuMode::core);
  Trajectory trajectory = testing::random_trajectory(93, 40);
  tasks::CountingOptions options;
  options.frames = 40;
  options.frames_per_block = 9;
  const BlockCounts forward = total(counted_blocks(runtime, trajectory, options));
  std::reverse(trajectory.frames.begin(), trajectory.frames.end());
  std::rotate(trajectory.frames.begin(), trajectory.frames.begin() + 13,
              trajectory.frames.end());
  const BlockCounts shuffled = total(counted_blocks(runtime, trajectory, options));
  CHECK(shuffled.counts == forward.counts);
  CHECK(shuffled.out_of_range == forward.out_of_range);
  CHECK(shuffled.pairs == forward.pairs);
  CHECK(shuffled.particle_number == forward.particle_number);
}

TEST_CASE("selected pairs, in any order, and the work that the workers did") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  tasks::Runtime runtime(tasks::CpuMode::core);
  Trajectory trajectory = testing::random_trajectory(94, 12);
  trajectory.layout.pairs = {{SpeciesId(1), SpeciesId(1)},
                             {SpeciesId(0), SpeciesId(2)}};
  std::vector<BlockCounts> blocks;
  tasks::CountingOptions options;
  options.frames_per_block = 5;
  tasks::PairCounter counter(
      runtime, trajectory.layout, options,
      [&](BlockCounts&& block) { blocks.push_back(std::move(block)); });
  CHECK_FALSE(counter.plan().has_value());
  for (Frame frame : trajectory.frames) {
    counter.add(std::move(frame));
  }
  counter.finish();
  const auto expected = expected_blocks(trajectory, 5);
  CHECK(difference(blocks, expected) == "");
  const BlockCounts sum = total(expected);
  CHECK(counter.status().pairs_done() == sum.pairs[0] + sum.pairs[1]);
  CHECK(counter.plan()->frames_per_bundle >= 1);
}

TEST_CASE("no frame at all, and frames without particles") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "1");
  tasks::Runtime runtime(tasks::CpuMode::core);
  Trajectory trajectory = testing::random_trajectory(95, 0);
  tasks::CountingOptions options;
  options.frames_per_block = 2;
  CHECK(counted_blocks(runtime, trajectory, options).empty());
  Frame frame;
  frame.positions.resize(3);
  trajectory.frames = {frame, frame, frame};
  CHECK(difference(counted_blocks(runtime, trajectory, options),
                   expected_blocks(trajectory, 2)) == "");
}

TEST_CASE("little memory: frames wait for each other and nothing is lost") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  tasks::Runtime runtime(tasks::CpuMode::core);
  const Trajectory trajectory = testing::random_trajectory(96, 200);
  tasks::CountingOptions options;
  options.frames = 200;
  options.frames_per_block = 1;
  options.most_pairs_per_task = 500;
  options.memory_bytes = 400'000;
  CHECK(difference(counted_blocks(runtime, trajectory, options),
                   expected_blocks(trajectory, 1)) == "");
}

}  // namespace
}  // namespace starhist
