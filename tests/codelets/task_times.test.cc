// Times of tasks of several frames from measured ones.
#include "perfmodels/task_times.hh"

#include "tests/support/catch.hh"

namespace starhist {
namespace {

using perfmodels::TaskTimes;

/// A GPU that needs 0.1 ms per task and counts 10^12 pairs/s; an additional frame saves
/// 0.08 ms of that.
TaskTimes measured(bool several) {
  TaskTimes times;
  for (const double pairs : {1e7, 1e8, 1e9}) {
    times.of_frames(0).add(pairs, 1e-4 + pairs * 1e-12);
  }
  for (std::size_t k = 1; several && k < perfmodels::measured_frames.size(); ++k) {
    const double frames = perfmodels::measured_frames[k];
    for (const double pairs : {1e7, 1e8}) {
      times.of_frames(k).add(
          frames * pairs, 1e-4 + pairs * 1e-12 + (frames - 1) * (2e-5 + pairs * 1e-12));
    }
  }
  return times;
}

TEST_CASE("task times: several frames take less than one after the other") {
  const TaskTimes times = measured(true);
  CHECK_FALSE(times.empty());
  CHECK(times.seconds(1e8, 1) == Approx(2e-4));
  for (const std::uint32_t frames : {2U, 8U, 20U, 32U, 100U}) {
    CHECK(times.seconds(1e8 * frames, frames) == Approx(2e-4 + (frames - 1) * 1.2e-4));
  }
}

TEST_CASE("task times: larger frames save as much as the largest measured ones") {
  const TaskTimes times = measured(true);
  CHECK(times.seconds(3e9, 3) == Approx(1.1e-3 + 2 * (1.1e-3 - 0.8e-4)));
}

TEST_CASE("task times: from one frame with as many pairs if no others are measured") {
  const TaskTimes times = measured(false);
  CHECK(times.seconds(1e9, 10) == Approx(1.1e-3));
  CHECK(TaskTimes().empty());
}

TEST_CASE("task times: an additional frame always takes some time") {
  TaskTimes times = measured(false);
  times.of_frames(1).add(32e8, 1e-6);  // implausible
  CHECK(times.seconds(32e8, 32) == Approx(2e-4 * (1.0 + 31 * 0.01)));
}

}  // namespace
}  // namespace starhist
