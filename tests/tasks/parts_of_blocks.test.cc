// A run may end within a block and another one resume it, any number of times: the
// blocks equal those of one run, bit for bit.
#include <algorithm>
#include <optional>

#include "tasks/pair_counter.hh"
#include "tests/support/catch.hh"
#include "tests/support/starpu_environment.hh"
#include "tests/tasks/trajectories.hh"

namespace starhist {
namespace {

using testing::difference;
using testing::expected_blocks;
using testing::Random;
using testing::StarpuEnvironment;
using testing::Trajectory;

/// State of a stopped run: full blocks, and the start of the next run.
struct Stopped {
  std::vector<BlockCounts> blocks;
  std::optional<BlockCounts> begun;
  std::uint64_t next = 0;
};

/// Counts the frames [from.next, end) and adds the output to `from`. Parts end at
/// random; `last`: the frames end there.
void go_on(tasks::Runtime& runtime, const Trajectory& trajectory,
           std::uint32_t frames_per_block, std::uint64_t end, bool last, Random& random,
           Stopped& from) {
  tasks::CountingOptions options;
  options.frames = trajectory.frames.size();
  options.frames_per_block = frames_per_block;
  options.first_number = from.next;
  options.begun_block = from.begun;
  const auto keep = [&](const BlockCounts& block, std::uint64_t next) {
    from.begun = block;
    from.next = next;
  };
  tasks::PairCounter counter(runtime, trajectory.layout, options,
                             [&](BlockCounts&& block) {
                               from.blocks.push_back(std::move(block));
                               from.begun.reset();
                               from.next = from.blocks.size() * frames_per_block;
                             });
  for (std::uint64_t k = from.next; k < end; ++k) {
    counter.add(Frame(trajectory.frames[k]));
    if (random.chance(0.2)) {
      counter.end_part(keep);
    }
  }
  if (last) {
    counter.finish();
  } else {
    counter.pause(keep);
  }
}

TEST_CASE("blocks that are counted in parts, by one run or several") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  tasks::Runtime runtime(tasks::CpuMode::core);
  Random random(17);
  const Trajectory trajectory = testing::random_trajectory(93, 60);
  for (const std::uint32_t frames_per_block : {1U, 7U, 100U}) {
    const auto expected = expected_blocks(trajectory, frames_per_block);
    for (int trial = 0; trial < 10; ++trial) {
      Stopped state;
      while (state.next < trajectory.frames.size()) {
        const std::uint64_t end = std::min<std::uint64_t>(
            state.next + 1 + random.below(25), trajectory.frames.size());
        go_on(runtime, trajectory, frames_per_block, end,
              end == trajectory.frames.size(), random, state);
        CHECK((state.next == end || end == trajectory.frames.size()));
        if (end == trajectory.frames.size()) {
          break;
        }
      }
      INFO(frames_per_block << " frames per block, trial " << trial);
      CHECK(difference(state.blocks, expected) == "");
    }
  }
}

TEST_CASE("frames that are left out leave their blocks shorter") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  tasks::Runtime runtime(tasks::CpuMode::core);
  const Trajectory trajectory = testing::random_trajectory(94, 12);
  tasks::CountingOptions options;
  options.frames_per_block = 3;
  std::vector<BlockCounts> blocks;
  tasks::PairCounter counter(
      runtime, trajectory.layout, options,
      [&](BlockCounts&& block) { blocks.push_back(std::move(block)); });
  // Frames 0 to 11 without 2, and without block 3, 4, 5.
  for (const std::uint64_t k : {0U, 1U, 6U, 7U, 8U, 9U, 11U}) {
    counter.add(Frame(trajectory.frames[k]), k);
  }
  counter.finish();
  REQUIRE(blocks.size() == 3);
  CHECK(blocks[0].index == BlockIndex(0));
  CHECK(blocks[0].frames == 2);
  CHECK(blocks[1].index == BlockIndex(2));
  CHECK(blocks[1].frames == 3);
  CHECK(blocks[2].index == BlockIndex(3));
  CHECK(blocks[2].frames == 2);
  CHECK(blocks[2].last_frame == FrameIndex(11));
}

}  // namespace
}  // namespace starhist
