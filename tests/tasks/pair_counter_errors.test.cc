// Runs that end early must neither hang nor crash, and must report the reason.
#include <chrono>
#include <ctime>
#include <stdexcept>
#include <thread>

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/starpu_environment.hh"
#include "tests/tasks/trajectories.hh"

namespace starhist {
namespace {

using testing::counted_blocks;
using testing::difference;
using testing::error_text;
using testing::expected_blocks;
using testing::missing;
using testing::Random;
using testing::StarpuEnvironment;
using testing::Trajectory;

/// StarPU with two workers, which must still count correctly after each failure.
struct Workers {
  void check_usable() {
    const Trajectory trajectory = testing::random_trajectory(100, 5);
    CHECK(difference(counted_blocks(*runtime, trajectory, options),
                     expected_blocks(trajectory, options.frames_per_block)) == "");
  }

  StarpuEnvironment environment;
  tasks::CountingOptions options{1000, 2, 1ULL << 30U, 77};
  std::unique_ptr<tasks::Runtime> runtime = [this] {
    environment.set("STARPU_NCPU", "2");
    return std::make_unique<tasks::Runtime>(tasks::CpuMode::core);
  }();
};

void ignore(BlockCounts&& /*block*/) {}

TEST_CASE("add or finish rethrows an error of the sink") {
  Workers workers;
  const Trajectory trajectory = testing::random_trajectory(101, 30);
  for (const std::uint64_t good_blocks : {0U, 3U, 14U}) {
    std::uint64_t blocks = 0;
    const auto sink = [&](BlockCounts&& block) {
      CHECK(block.index == BlockIndex(blocks));
      if (blocks++ == good_blocks) {
        throw RunError("the disk is full");
      }
    };
    const std::string error = error_text<RunError>([&] {
      tasks::PairCounter counter(*workers.runtime, trajectory.layout, workers.options,
                                 sink);
      for (Frame frame : trajectory.frames) {
        counter.add(std::move(frame));
      }
      counter.finish();
    });
    CHECK(error == "the disk is full");
    CHECK(blocks == good_blocks + 1);
  }
  workers.check_usable();
}

TEST_CASE("a counter may be destroyed at any time") {
  Workers workers;
  const Trajectory trajectory = testing::random_trajectory(102, 9);
  for (std::size_t frames = 0; frames <= trajectory.frames.size(); ++frames) {
    for (const std::uint32_t frames_per_block : {1U, 4U, 100U}) {
      workers.options.frames_per_block = frames_per_block;
      tasks::PairCounter counter(*workers.runtime, trajectory.layout, workers.options,
                                 ignore);
      for (std::size_t f = 0; f < frames; ++f) {
        counter.add(Frame(trajectory.frames[f]));
      }
    }
  }
  workers.check_usable();
}

TEST_CASE("cancel ends within a task, not after it") {
  Workers workers;
  Random random(103);
  const HistogramLayout layout{{"A"}, all_pairs(1), make_bins(2.0, 1000), "nm", "ps"};
  Frame frame;
  frame.positions.push_back(testing::random_positions(random, frame.box, 100'000));
  workers.options.frames_per_block = 1;
  workers.options.most_pairs_per_task = 10'000'000'000;  // over a second of a core
  std::clock_t begin = 0;
  {
    tasks::PairCounter counter(*workers.runtime, layout, workers.options, ignore);
    counter.add(std::move(frame));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    counter.cancel(std::make_exception_ptr(RunError("that is enough")));
    begin = std::clock();
    CHECK(error_text<RunError>([&] { counter.finish(); }) == "that is enough");
  }
  // CPU time of all threads, so that other programs do not matter.
  CHECK(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 0.4);
  workers.options.most_pairs_per_task = 77;
  workers.check_usable();
}

TEST_CASE("an exception between two frames propagates") {
  Workers workers;
  const Trajectory trajectory = testing::random_trajectory(103, 9);
  const std::string error = error_text<InputError>([&] {
    tasks::PairCounter counter(*workers.runtime, trajectory.layout, workers.options,
                               ignore);
    for (Frame frame : trajectory.frames) {
      if (frame.index == FrameIndex(6)) {
        throw InputError("frame 6 has no box");
      }
      counter.add(std::move(frame));
    }
  });
  CHECK(error == "frame 6 has no box");
  workers.check_usable();
}

TEST_CASE("a run that does not fit into memory is refused at the first frame") {
  Workers workers;
  workers.options.memory_bytes = 10'000;
  const Trajectory trajectory = testing::random_trajectory(104, 3);
  tasks::PairCounter counter(*workers.runtime, trajectory.layout, workers.options,
                             ignore);
  CHECK(
      missing(error_text<InputError>([&] { counter.add(Frame(trajectory.frames[0])); }),
              {"needs at least", "--memory"}) == "");
}

TEST_CASE("a frame that does not fit into memory leaves the earlier ones countable") {
  Workers workers;
  workers.options.memory_bytes = 4'000'000;
  workers.options.frames_per_block = 100;
  const HistogramLayout layout{{"A"}, all_pairs(1), make_bins(2.0, 10), "nm", "ps"};
  Random random(106);
  for (const std::size_t small : {std::size_t{1}, std::size_t{50}}) {
    INFO(small << " particles");
    tasks::PairCounter counter(*workers.runtime, layout, workers.options, ignore);
    for (std::uint64_t f = 0; f < 4; ++f) {
      Frame frame;
      frame.index = FrameIndex(f);
      frame.positions.push_back(
          testing::random_positions(random, frame.box, f == 3 ? 200'000 : small));
      if (f < 3) {
        counter.add(std::move(frame), f);
      } else {
        CHECK(missing(error_text<InputError>([&] { counter.add(std::move(frame), f); }),
                      {"needs at least", "--memory"}) == "");
      }
    }
    std::uint64_t frames = 0;
    counter.pause([&](const BlockCounts& counts, std::uint64_t next) {
      frames = counts.frames;
      CHECK(next == 3);
      CHECK(counts.pairs[0] == 3 * small * (small - 1) / 2);
    });
    CHECK(frames == 3);
  }
  workers.options.memory_bytes = 1ULL << 30U;
  workers.options.frames_per_block = 2;
  workers.check_usable();
}

TEST_CASE("the first error of a task stops the run and is rethrown") {
  Workers workers;
  const Trajectory trajectory = testing::random_trajectory(105, 40);
  std::uint64_t blocks = 0;
  const std::string error = error_text<RunError>([&] {
    tasks::PairCounter counter(*workers.runtime, trajectory.layout, workers.options,
                               [&](BlockCounts&&) { ++blocks; });
    for (Frame frame : trajectory.frames) {
      if (frame.index == FrameIndex(20)) {
        // As in a task, which has a pointer to the status.
        auto& status = const_cast<codelets::RunStatus&>(counter.status());
        status.fail(std::make_exception_ptr(RunError("the device is lost")));
        status.fail(std::make_exception_ptr(RunError("and again")));
      }
      counter.add(std::move(frame));
    }
    counter.finish();
  });
  CHECK(error == "the device is lost");
  CHECK(blocks <= 10);
  workers.check_usable();
}

}  // namespace
}  // namespace starhist
