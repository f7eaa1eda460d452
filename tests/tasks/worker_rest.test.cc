#include "tasks/runtime/worker_rest.hh"

#include <ctime>
#include <thread>

#include <starpu.h>

#include "tests/support/catch.hh"
#include "tests/support/starpu_environment.hh"
#include "tests/tasks/trajectories.hh"

namespace starhist {
namespace {

using namespace std::chrono_literals;
using testing::counted_blocks;
using testing::difference;
using testing::expected_blocks;
using testing::StarpuEnvironment;

/// CPU time of this process [s].
double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Waits at most 10 s.
bool comes_to_rest(const tasks::WorkerRest& rest) {
  for (int k = 0; k < 1000 && !rest.resting(); ++k) {
    std::this_thread::sleep_for(10ms);
  }
  return rest.resting();
}

TEST_CASE("workers rest some time after their last use, without CPU time") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  tasks::Runtime runtime(tasks::CpuMode::core);
  tasks::WorkerRest rest(5ms);
  REQUIRE(comes_to_rest(rest));
  const double before = cpu_seconds();
  std::this_thread::sleep_for(400ms);
  CHECK(cpu_seconds() - before < 0.1);  // 0.8 s if the two workers polled
  {
    const tasks::WorkerRest::Use use(rest);
    CHECK_FALSE(rest.resting());
    const auto trajectory = testing::random_trajectory(4, 30);
    CHECK(difference(counted_blocks(runtime, trajectory, {}),
                     expected_blocks(trajectory, 100)) == "");
    rest.rest_now();  // no effect during their use
    CHECK_FALSE(rest.resting());
  }
  rest.rest_now();
  CHECK(rest.resting());
}

TEST_CASE("unfinished tasks end before workers rest") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  tasks::Runtime runtime(tasks::CpuMode::core);
  tasks::WorkerRest rest(1ms);
  const auto trajectory = testing::random_trajectory(5, 200);
  std::vector<BlockCounts> blocks;
  tasks::CountingOptions options;
  options.frames_per_block = 7;
  tasks::PairCounter counter(runtime, trajectory.layout, options,
                             [&](BlockCounts&& block) { blocks.push_back(block); });
  for (const Frame& frame : trajectory.frames) {
    const tasks::WorkerRest::Use use(rest);
    counter.add(Frame(frame));
    if (frame.index.get() % 50 == 0) {
      std::this_thread::sleep_for(3ms);
    }
  }
  REQUIRE(comes_to_rest(rest));
  CHECK(starpu_task_nsubmitted() == 0);
  const tasks::WorkerRest::Use use(rest);
  counter.finish();
  CHECK(difference(blocks, expected_blocks(trajectory, 7)) == "");
}

}  // namespace
}  // namespace starhist
