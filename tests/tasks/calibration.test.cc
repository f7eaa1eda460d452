#include "tasks/submission/calibration.hh"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "codelets/count_pairs_codelet.hh"
#include "tasks/planning/cluster_cost.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"
#include "tests/support/starpu_environment.hh"

namespace starhist {
namespace {

/// Two CPU workers, and particles of two species.
struct Setting {
  Setting(std::size_t first_count, std::size_t second_count, double r_max)
      : bins(make_bins(r_max, 700)) {
    environment.set("STARPU_NCPU", "2");
    environment.set("STARPU_NCUDA", "0");
    testing::Random random(95);
    first = testing::random_positions(random, box, first_count);
    second = testing::random_positions(random, box, second_count);
  }
  tasks::CalibrationWork work(perfmodels::PairKind pairs,
                              perfmodels::Order order) const {
    return {pairs,
            box,
            bins,
            first,
            pairs == perfmodels::PairKind::like ? std::span<const double>() : second,
            order};
  }

  testing::StarpuEnvironment environment;
  Box box = testing::cubic_box(1.0);
  UniformBins bins;
  std::vector<double> first;
  std::vector<double> second;
};

TEST_CASE("measured times are kept, and predict other sizes in another run") {
  const Setting setting(2000, 1000, 0.5);
  const tasks::CalibrationWork like =
      setting.work(perfmodels::PairKind::like, perfmodels::Order::any);
  const tasks::CalibrationWork unlike =
      setting.work(perfmodels::PairKind::unlike, perfmodels::Order::any);
  CHECK(like.pair_count() == 1'999'000);
  CHECK(unlike.pair_count() == 2'000'000);

  double median = 0.0;
  {
    setting.environment.set("STARPU_CALIBRATE", "1");
    tasks::Runtime runtime(tasks::CpuMode::core, {700, "auto"});
    const std::vector<int> workers{0, 1};
    CHECK(tasks::time_tasks(runtime, unlike, workers, 0, 3).size() == 6);
    std::vector<double> seconds = tasks::time_tasks(runtime, like, workers, 0, 10);
    REQUIRE(seconds.size() == 20);
    std::sort(seconds.begin(), seconds.end());
    CHECK(seconds.front() > 0.0);
    median = seconds[10];
  }
  setting.environment.set("STARPU_CALIBRATE", "0");
  tasks::Runtime runtime(tasks::CpuMode::core, {700, "auto"});
  const perfmodels::CountPairsModel& measured =
      runtime
          .count_pairs(perfmodels::PairKind::like, perfmodels::Geometry::orthorhombic,
                       perfmodels::Order::any)
          .model();
  CHECK(measured.source(STARPU_CPU_WORKER) == perfmodels::SpeedSource::history);
  CHECK(measured.source(STARPU_CUDA_WORKER) == perfmodels::SpeedSource::properties);
  CHECK(runtime
            .count_pairs(perfmodels::PairKind::like, perfmodels::Geometry::open,
                         perfmodels::Order::any)
            .model()
            .source(STARPU_CPU_WORKER) == perfmodels::SpeedSource::properties);
  // StarPU averages, so an interrupted task matters.
  const double predicted = measured.seconds(STARPU_CPU_WORKER, 0, 1'999'000);
  CHECK(predicted > 0.3 * median);
  CHECK(predicted < 10.0 * median);
  CHECK(measured.seconds(STARPU_CPU_WORKER, 0, 19'990'000) == Approx(10.0 * predicted));
}

TEST_CASE("tasks of several frames are measured and predicted") {
  const Setting setting(300, 200, 0.5);
  constexpr std::uint32_t frames = perfmodels::measured_frames[1];
  constexpr double pairs = 60'000.0;
  const tasks::CalibrationWork one =
      setting.work(perfmodels::PairKind::unlike, perfmodels::Order::any);
  tasks::CalibrationWork several = one;
  several.measurement = 1;
  const auto model_of = [](tasks::Runtime& runtime) -> perfmodels::CountPairsModel& {
    return runtime
        .count_pairs(perfmodels::PairKind::unlike, perfmodels::Geometry::orthorhombic,
                     perfmodels::Order::any)
        .model();
  };
  const auto predicted = [&](tasks::Runtime& runtime, std::uint32_t count) {
    return model_of(runtime).seconds(STARPU_CPU_WORKER, 0, count * pairs, count);
  };
  setting.environment.set("STARPU_CALIBRATE", "2");
  {
    tasks::Runtime runtime(tasks::CpuMode::core, {700, "auto"});
    tasks::time_tasks(runtime, one, {{0}}, 0, 12);
    tasks::time_tasks(runtime, several, {{0}}, 0, 12);
  }
  setting.environment.set("STARPU_CALIBRATE", "0");
  tasks::Runtime runtime(tasks::CpuMode::core, {700, "auto"});
  // Other programs can increase StarPU's averages, but the averages add up.
  const double alone = predicted(runtime, 1);
  const double together = predicted(runtime, frames);
  CHECK(alone > 0.0);
  CHECK(together > 1.6 * alone);  // at least 2 % for each additional frame
  const double further = (together - alone) / (frames - 1.0);
  CHECK(predicted(runtime, 2) == Approx(alone + further));
  CHECK(predicted(runtime, 100) == Approx(alone + 99.0 * further));
  // The saving of larger frames is the same.
  const auto of = [&](std::uint32_t count) {
    return model_of(runtime).seconds(STARPU_CPU_WORKER, 0, count * 1e9, count);
  };
  CHECK(of(2) == Approx(2.0 * of(1) - (alone - std::min(further, alone))));
}

TEST_CASE("measured models follow a run slowly, and ignore its first tasks") {
  const Setting setting(300, 200, 0.5);
  const tasks::CalibrationWork work =
      setting.work(perfmodels::PairKind::unlike, perfmodels::Order::any);
  setting.environment.set("STARPU_CALIBRATE", "2");
  {
    tasks::Runtime runtime(tasks::CpuMode::core, {700, "auto"});
    tasks::time_tasks(runtime, work, {{0}}, 0, 12);
  }
  ::unsetenv("STARPU_CALIBRATE");
  tasks::Runtime runtime(tasks::CpuMode::core, {700, "auto"});
  perfmodels::CountPairsModel& model =
      runtime
          .count_pairs(perfmodels::PairKind::unlike, perfmodels::Geometry::orthorhombic,
                       perfmodels::Order::any)
          .model();
  constexpr double pairs = 60'000.0;
  const auto predicted = [&] { return model.seconds(STARPU_CPU_WORKER, 0, pairs); };
  const double measured = predicted();
  for (int first = 0; first < 4; ++first) {
    model.observe(STARPU_CPU_WORKER, 0, pairs, 1, 100.0 * measured);  // loads code
    CHECK(predicted() == measured);
  }
  model.observe(STARPU_CPU_WORKER, 0, pairs, 1, 2.0 * measured);
  CHECK(predicted() == Approx(std::pow(2.0, 0.1) * measured));
}

TEST_CASE("in tiles: all pairs are counted, times depend on evaluated ones") {
  const Setting setting(3000, 2000, 0.1);
  const tasks::CalibrationWork work =
      setting.work(perfmodels::PairKind::unlike, perfmodels::Order::spatial);
  Frame frame;
  frame.box = setting.box;
  frame.positions = {setting.first, setting.second};
  const double share = tasks::ClusterCostModel(frame, 0.1).of(3000, 2000, false).work;
  CHECK(share < 0.5);
  const auto predicted = [&](tasks::Runtime& runtime, perfmodels::Order order,
                             double pairs) {
    return runtime
        .count_pairs(perfmodels::PairKind::unlike, perfmodels::Geometry::orthorhombic,
                     order)
        .model()
        .seconds(STARPU_CPU_WORKER, 0, pairs);
  };
  double median = 0.0;
  double seconds = 0.0;
  // StarPU averages, so retry if other programs interrupt a task.
  for (int attempt = 0; attempt < 10; ++attempt) {
    setting.environment.set("STARPU_CALIBRATE", "2");
    {
      tasks::Runtime runtime(tasks::CpuMode::core, {700, "auto"});
      std::vector<double> times = tasks::time_tasks(runtime, work, {{0, 1}}, 0, 10);
      std::sort(times.begin(), times.end());
      median = times[10];
    }
    setting.environment.set("STARPU_CALIBRATE", "0");
    tasks::Runtime runtime(tasks::CpuMode::core, {700, "auto"});
    seconds = predicted(runtime, perfmodels::Order::spatial, share * 6e6);
    if (seconds > 0.3 * median && seconds < 3.0 * median) {
      break;
    }
  }
  CHECK(seconds > 0.3 * median);
  CHECK(seconds < 3.0 * median);
  tasks::Runtime runtime(tasks::CpuMode::core, {700, "auto"});
  // In proportion to evaluated pairs, not to all.
  CHECK(predicted(runtime, perfmodels::Order::spatial, 2.0 * share * 6e6) ==
        Approx(2.0 * seconds));
  // The usual ratio to the known order.
  CHECK(predicted(runtime, perfmodels::Order::any, share * 6e6) ==
        Approx(seconds / 1.15).epsilon(0.01));  // with the overhead of a task
  CHECK(runtime
            .count_pairs(perfmodels::PairKind::unlike,
                         perfmodels::Geometry::orthorhombic, perfmodels::Order::any)
            .model()
            .source(STARPU_CPU_WORKER) == perfmodels::SpeedSource::other_order);
}

}  // namespace
}  // namespace starhist
