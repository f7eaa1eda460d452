// However StarPU schedules the tasks, the blocks equal the reference kernel's.
#include "tasks/pair_counter.hh"

#include <algorithm>
#include <utility>

#include "codelets/core/base/error.hh"
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
      for (const tasks::CpuMode mode : {tasks::CpuMode::core, tasks::CpuMode::pool}) {
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
          for (const tasks::Clustering clusters :
               {tasks::Clustering::off, tasks::Clustering::on}) {
            options.clusters = clusters;
            CHECK(difference(counted_blocks(runtime, trajectory, options), expected) ==
                  "");
          }
        }
      }
    }
  }
}

TEST_CASE("the counts of scheduler eager", "[slow]") {
  check_scheduler("eager");
}
TEST_CASE("the counts of scheduler lws") {
  check_scheduler("lws");
}
TEST_CASE("the counts of scheduler random", "[slow]") {
  check_scheduler("random");
}
TEST_CASE("the counts of scheduler dmda", "[slow]") {
  check_scheduler("dmda");
}
TEST_CASE("the counts of scheduler dmdas", "[slow]") {
  check_scheduler("dmdas");
}

TEST_CASE("batches of many small frames, for any expected number") {
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

Frame frame_of(std::uint64_t index, std::size_t particles) {
  testing::Random random(index + 1);
  Frame frame;
  frame.index = FrameIndex(index);
  frame.box = testing::cubic_box(1.0);
  frame.positions.push_back(testing::random_positions(random, frame.box, particles));
  return frame;
}

Trajectory trajectory_of(const std::vector<std::size_t>& particles) {
  Trajectory trajectory{
      {{"A"}, {{SpeciesId(0), SpeciesId(0)}}, make_bins(0.5, 100), "nm", "ps"}, {}};
  for (const std::size_t number : particles) {
    trajectory.frames.push_back(frame_of(trajectory.frames.size(), number));
  }
  return trajectory;
}

/// Counts parts 0, 2, ... of the rows of each frame in one run and 1, 3, ... in
/// another, and adds them up, frame by frame; frames whose number is divisible by 3 are
/// counted whole, in the first run.
std::vector<BlockCounts> counted_in_parts(tasks::Runtime& runtime,
                                          const Trajectory& trajectory,
                                          const tasks::CountingOptions& options,
                                          std::uint32_t parts) {
  std::vector<BlockCounts> sums;
  for (std::size_t f = 0; f < trajectory.frames.size(); ++f) {
    sums.push_back(empty_block(trajectory.layout, BlockIndex(f)));
  }
  for (const std::uint32_t run : {0U, 1U}) {
    std::vector<std::size_t> frame_of_block;
    tasks::PairCounter counter(
        runtime, trajectory.layout, options, [&](BlockCounts&& block) {
          BlockCounts& sum = sums[frame_of_block.at(block.index.get())];
          for (std::size_t p = 0; p < sum.counts.size(); ++p) {
            for (std::size_t bin = 0; bin < sum.counts[p].size(); ++bin) {
              sum.counts[p][bin] += block.counts[p][bin];
            }
            sum.underflow[p] += block.underflow[p];
            sum.out_of_range[p] += block.out_of_range[p];
          }
        });
    for (std::size_t f = 0; f < trajectory.frames.size(); ++f) {
      bool first = true;
      const std::uint32_t count = f % 3 == 0 ? 1 : parts;
      for (std::uint32_t part = run; part < count; part += 2) {
        const std::uint64_t number = options.frames_per_block * frame_of_block.size();
        frame_of_block.push_back(f);
        if (std::exchange(first, false)) {
          counter.add(Frame(trajectory.frames[f]), number, {part, count});
        } else {
          counter.add_rows(number, {part, count});
        }
        if (f % 2 == 0) {
          counter.close_block();
        }
      }
    }
    counter.finish();
  }
  return sums;
}

TEST_CASE("rows of frames in parts, each frame added once") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  tasks::Runtime runtime(tasks::CpuMode::core);
  const Trajectory trajectory = testing::random_trajectory(93, 25);
  const auto expected = expected_blocks(trajectory, 1);
  tasks::CountingOptions options;
  options.frames = trajectory.frames.size();
  options.frames_per_block = 2;  // which no part fills
  for (const std::uint32_t parts : {2U, 5U, 200U}) {
    for (const tasks::Clustering clusters :
         {tasks::Clustering::off, tasks::Clustering::on}) {
      INFO(parts << " parts");
      options.clusters = clusters;
      const auto counted = counted_in_parts(runtime, trajectory, options, parts);
      for (std::size_t f = 0; f < expected.size(); ++f) {
        INFO("frame " << f);
        CHECK(counted[f].counts == expected[f].counts);
        CHECK(counted[f].underflow == expected[f].underflow);
        CHECK(counted[f].out_of_range == expected[f].out_of_range);
      }
    }
  }
}

TEST_CASE("further rows without a frame are refused") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "1");
  tasks::Runtime runtime(tasks::CpuMode::core);
  const Trajectory trajectory = testing::random_trajectory(94, 2);
  tasks::CountingOptions options;
  options.frames = 2;
  options.frames_per_block = 2;
  tasks::PairCounter counter(runtime, trajectory.layout, options, [](BlockCounts&&) {});
  CHECK_THROWS_AS(counter.add_rows(0, {1, 2}), InternalError);
  tasks::PairCounter other(runtime, trajectory.layout, options, [](BlockCounts&&) {});
  other.add(Frame(trajectory.frames[0]));
  CHECK_THROWS_AS(other.add_rows(2, {1, 2}), InternalError);
}

TEST_CASE("frames without pairs: single, between others, as whole blocks") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  tasks::Runtime runtime(tasks::CpuMode::core);
  for (const std::vector<std::size_t>& particles :
       {std::vector<std::size_t>{0}, std::vector<std::size_t>(20, 0),
        std::vector<std::size_t>{0, 1, 0, 40, 0, 0, 0, 0, 30, 1},
        std::vector<std::size_t>{50, 0, 0, 0, 0, 0, 0, 60}}) {
    const Trajectory trajectory = trajectory_of(particles);
    for (const std::uint32_t frames_per_block : {1U, 2U, 3U, 100U}) {
      const auto expected = expected_blocks(trajectory, frames_per_block);
      for (const tasks::Clustering clusters :
           {tasks::Clustering::off, tasks::Clustering::on}) {
        INFO(particles.size() << " frames, " << frames_per_block << " per block");
        tasks::CountingOptions options;
        options.frames = particles.size();
        options.frames_per_block = frames_per_block;
        options.clusters = clusters;
        CHECK(difference(counted_blocks(runtime, trajectory, options), expected) == "");
      }
    }
  }
}

TEST_CASE("growing frames are not batched like small ones") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  tasks::Runtime runtime(tasks::CpuMode::core);
  const Trajectory trajectory = trajectory_of({0, 3, 2, 4, 3, 5000, 5000, 3, 6000});
  tasks::CountingOptions options;
  options.frames = 100'000;
  options.memory_bytes = 32 << 20;
  std::vector<BlockCounts> blocks;
  tasks::PairCounter counter(
      runtime, trajectory.layout, options,
      [&](BlockCounts&& block) { blocks.push_back(std::move(block)); });
  for (std::size_t f = 0; f < trajectory.frames.size(); ++f) {
    counter.add(Frame(trajectory.frames[f]));
    if (f == 0) {
      CHECK_FALSE(counter.plan().has_value());  // no frame with pairs yet
    } else {
      REQUIRE(counter.plan().has_value());
      const std::uint64_t together = counter.plan()->frames_per_batch;
      CHECK((f < 5) == (together > 1000));
      CHECK(together * trajectory.frames[f].positions[0].size() * sizeof(double) <=
            options.memory_bytes);
    }
  }
  counter.finish();
  CHECK(difference(blocks, expected_blocks(trajectory, options.frames_per_block)) ==
        "");
}

TEST_CASE("the order of the frames does not affect the total") {
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

TEST_CASE("selected pairs, in any order, and the recorded work of the workers") {
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
  CHECK(counter.plan()->frames_per_batch >= 1);
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

TEST_CASE("little memory: frames wait for each other and none is lost") {
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
