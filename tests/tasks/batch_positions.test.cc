#include "tasks/positions/batch_positions.hh"

#include "tasks/runtime/runtime.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"
#include "tests/support/starpu_environment.hh"

namespace starhist {
namespace {

/// The third species has no particle, the second none in every other frame.
std::vector<Frame> frames_of(const std::vector<std::size_t>& particles) {
  testing::Random random(17);
  std::vector<Frame> frames(particles.size());
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const std::size_t second = f % 2 == 0 ? particles[f] / 3 : 0;
    for (const std::size_t count : {particles[f], second, std::size_t{0}}) {
      frames[f].positions.push_back(testing::random_positions(random, Box(), count));
    }
  }
  return frames;
}

TEST_CASE("positions of a batch: frame after frame, by any number of threads") {
  const testing::StarpuEnvironment environment;
  tasks::Runtime runtime(tasks::CpuMode::core);
  for (const auto& particles : {std::vector<std::size_t>{200'000},
                                std::vector<std::size_t>{5, 0, 40'000, 1, 70'000, 3}}) {
    const std::vector<Frame> frames = frames_of(particles);
    for (const unsigned threads : {1U, 3U, 16U}) {
      tasks::ThreadPool pool(threads);
      tasks::PinnedPool memory(false);
      const tasks::BatchPositions batch =
          tasks::take_positions(frames, pool, memory, tasks::PositionFacts::bounds);
      REQUIRE(batch.handles.size() == 3);
      REQUIRE(batch.bounds.size() == frames.size());
      CHECK(batch.handles[2].get() == nullptr);
      for (std::size_t s = 0; s < 2; ++s) {
        std::vector<double> expected;
        for (const Frame& frame : frames) {
          const auto& positions = frame.positions[s];
          expected.insert(expected.end(), positions.begin(), positions.end());
        }
        const tasks::AcquiredVector<double> copied(batch.handles[s], STARPU_R, "look");
        CHECK(std::equal(expected.begin(), expected.end(), copied.data()));
      }
      for (std::size_t f = 0; f < frames.size(); ++f) {
        for (std::size_t s = 0; s < 3; ++s) {
          const auto& positions = frames[f].positions[s];
          kernels::Bounds bounds;
          bounds.add({positions.data(), positions.size() / 3}, 0, positions.size() / 3);
          CHECK(batch.bounds[f][s].low == bounds.low);
          CHECK(batch.bounds[f][s].high == bounds.high);
        }
      }
      CHECK(tasks::take_positions(frames, pool, memory, tasks::PositionFacts::none)
                .bounds.empty());
    }
  }
}

TEST_CASE("batches of nearly the same number of frames reuse their memory") {
  const testing::StarpuEnvironment environment;
  tasks::Runtime runtime(tasks::CpuMode::core);
  tasks::ThreadPool pool(2);
  tasks::PinnedPool memory(false);
  const auto memory_of = [&](std::size_t count) {
    const std::vector<Frame> frames =
        frames_of(std::vector<std::size_t>(count, 90'000));
    return tasks::take_positions(frames, pool, memory, tasks::PositionFacts::none, 7)
        .memory->data<char>();
  };
  const char* const of_six = memory_of(6);
  CHECK(memory_of(7) == of_six);
  CHECK(memory_of(6) == of_six);
  CHECK(memory_of(1) != of_six);  // at the start of a run
}

}  // namespace
}  // namespace starhist
