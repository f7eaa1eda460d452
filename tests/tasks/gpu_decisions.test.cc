// Plans for GPUs without performance models: the eight cases of
// tests/bench/whole_runs.py.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "perfmodels/gpu_speeds.hh"
#include "tasks/planning/batch_plan.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist {
namespace {

using perfmodels::GpuKernel;
using perfmodels::GpuProperties;
using perfmodels::Order;
using perfmodels::SpeedSource;

/// Speeds of a GPU in one order, as runtime_speeds() takes them from a model without
/// measurements.
tasks::EvaluationSpeeds speeds_of(const GpuProperties& gpu, const tasks::Workload& work,
                                  Order order) {
  const tasks::TaskSize task = tasks::typical_gpu_task(work, order);
  const double streams = order == Order::spatial ? 1.0 : 2.0;
  const auto speed = [&](GpuKernel kernel) {
    return streams * task.pairs /
           perfmodels::gpu_task_seconds(gpu, kernel, work.geometry,
                                        static_cast<std::uint32_t>(work.bins),
                                        task.pairs, task.frames, streams);
  };
  tasks::EvaluationSpeeds speeds;
  speeds.gpu_source = SpeedSource::properties;
  speeds.gpu = order == Order::spatial ? speed(GpuKernel::clusters)
               : work.geometry == perfmodels::Geometry::open
                   ? std::max(speed(GpuKernel::tensor), speed(GpuKernel::fixed_point))
                   : speed(GpuKernel::fixed_point);
  return speeds;
}

struct Case {
  std::uint64_t frames;
  std::vector<std::size_t> species;
  Box box;
  double r_max;
  std::uint32_t bins;
  bool unlike_only;
};

tasks::Workload workload(const Case& run) {
  testing::Random random(7);
  HistogramLayout layout;
  Frame frame;
  frame.box = run.box;
  const Box extent = run.box.has_volume() ? run.box : testing::cubic_box(10.0);
  for (std::size_t s = 0; s < run.species.size(); ++s) {
    layout.species.push_back(std::to_string(s));
    frame.positions.push_back(
        testing::random_positions(random, extent, run.species[s]));
    for (std::size_t t = run.unlike_only ? s + 1 : s; t < run.species.size(); ++t) {
      layout.pairs.push_back({SpeciesId(static_cast<std::uint32_t>(s)),
                              SpeciesId(static_cast<std::uint32_t>(t))});
    }
  }
  layout.bins = make_bins(run.r_max, run.bins);
  tasks::CountingOptions options;
  options.frames = run.frames;
  return tasks::workload_of(layout, {}, options, frame);
}

tasks::BatchPlan plan(const GpuProperties& gpu, const Case& run) {
  const tasks::Workload work = workload(run);
  tasks::MachineSpeeds machine;
  machine.workers = 4;
  machine.gpus = 1;
  machine.streams_per_gpu = 2;
  machine.seconds_to_sort_a_particle = perfmodels::gpu_seconds_to_sort_a_particle(gpu);
  machine.any_order = speeds_of(gpu, work, Order::any);
  machine.spatial_order = speeds_of(gpu, work, Order::spatial);
  return tasks::plan_batches(machine, work, 1ULL << 36U, 0);
}

const Box octahedron =
    testing::periodic_box({6.0, 0.0, 0.0}, {2.0, 4.0 * std::sqrt(2.0), 0.0},
                          {-2.0, 2.0 * std::sqrt(2.0), 2.0 * std::sqrt(6.0)});
const std::vector<std::size_t> three{7000, 7000, 6000};
const std::vector<std::size_t> unequal{180'000, 60'000, 20'000, 10'000, 6000,
                                       2500,    1200,   250,    50};
const Case many_open{2000, three, Box(), 17.3, 10'000, false};
const Case many_cubic{2000, three, testing::cubic_box(6.0), 5.1, 10'000, false};
const Case many_triclinic{400, three, octahedron, 4.0, 10'000, false};
const Case many_skewed{
    400,
    three,
    testing::periodic_box({6.0, 0.0, 0.0}, {1.5, 6.2, 0.0}, {-1.1, 0.7, 5.8}),
    4.2,
    10'000,
    false};
const Case cadishi_open{40, unequal, Box(), 17.3, 8000, true};
const Case small_cubic{40'000, {1000}, testing::cubic_box(6.0), 3.0, 1000, false};
const Case large_cubic{200, {60'000, 40'000}, testing::cubic_box(6.0),
                       5.1, 10'000,           false};
const Case giant_open{1, {1'000'000}, Box(), 17.3, 10'000, false};
const Case giant_cubic{1, {1'000'000}, testing::cubic_box(6.0), 5.1, 10'000, false};

constexpr GpuProperties h100;
constexpr GpuProperties a100{80, 108, 1.41e9, 166'912, 2};
constexpr GpuProperties t4{75, 40, 1.59e9, 65'536, 32};
constexpr GpuProperties l4{89, 58, 2.04e9, 101'376, 64};
constexpr GpuProperties b200{100, 148, 1.965e9, 232'448, 2};

TEST_CASE("GPUs with tensor cores for doubles: sorted where an H100 is faster so") {
  for (const GpuProperties& gpu : {h100, a100, b200}) {
    INFO("compute capability " << gpu.capability);
    CHECK_FALSE(plan(gpu, many_open).clustered);
    CHECK_FALSE(plan(gpu, many_cubic).clustered);
    CHECK_FALSE(plan(gpu, many_triclinic).clustered);
    CHECK(plan(gpu, many_skewed).clustered);
    CHECK_FALSE(plan(gpu, cadishi_open).clustered);
    CHECK_FALSE(plan(gpu, small_cubic).clustered);
    CHECK(plan(gpu, large_cubic).clustered);
    CHECK_FALSE(plan(gpu, giant_open).clustered);
    CHECK(plan(gpu, giant_cubic).clustered);
  }
}

TEST_CASE("GPUs without them: sorted only if few pairs are within r_max") {
  for (const GpuProperties& gpu : {t4, l4}) {
    INFO("compute capability " << gpu.capability);
    for (const Case& run : {many_open, many_cubic, many_triclinic, cadishi_open,
                            small_cubic, large_cubic, giant_open, giant_cubic}) {
      CHECK_FALSE(plan(gpu, run).clustered);
    }
    Case short_range = giant_cubic;
    short_range.r_max = 0.6;
    CHECK(plan(gpu, short_range).clustered);
  }
}

TEST_CASE("tasks of an H100 without models have the sizes of those with models") {
  // rdf --explain with the models of perfmodels/sampling
  const auto pairs = [](const Case& run) {
    return static_cast<double>(plan(h100, run).most_pairs_per_gpu_task);
  };
  CHECK(pairs(many_open) == Approx(14.33e9).epsilon(0.15));
  // The kernel for orthorhombic boxes is 1.12 times as fast as it was then.
  CHECK(pairs(many_cubic) == Approx(1.12 * 6.85e9).epsilon(0.15));
  CHECK(pairs(many_triclinic) == Approx(5.0e9).epsilon(0.001));
  CHECK(pairs(cadishi_open) == Approx(15.56e9).epsilon(0.05));
  CHECK(pairs(small_cubic) == Approx(1.249e9).epsilon(0.001));
  CHECK(pairs(large_cubic) == Approx(34.19e9).epsilon(0.1));
  CHECK(pairs(giant_open) == Approx(15.62e9).epsilon(0.001));
  CHECK(pairs(giant_cubic) == Approx(125.0e9).epsilon(0.001));
  CHECK(plan(h100, many_open).frames_per_batch == 50);
  CHECK(plan(h100, many_cubic).frames_per_batch == 34);
  CHECK(plan(h100, many_triclinic).frames_per_batch == 25);
  CHECK(plan(h100, cadishi_open).frames_per_batch == 1);
  CHECK(plan(h100, small_cubic).frames_per_batch == 100);
  CHECK(plan(h100, large_cubic).frames_per_batch == 7);
}

TEST_CASE("the first tasks correct the sizes of later ones, in the same order") {
  const tasks::Workload work = workload(large_cubic);
  tasks::MachineSpeeds machine;
  machine.gpus = 1;
  machine.any_order = speeds_of(h100, work, Order::any);
  machine.spatial_order = speeds_of(h100, work, Order::spatial);
  const auto planned = [&](const tasks::BatchPlan& before) {
    return tasks::plan_with_measured_speeds(before, machine, work, 1ULL << 36U, 0);
  };
  const tasks::BatchPlan first = tasks::plan_batches(machine, work, 1ULL << 36U, 0);
  REQUIRE(first.clustered);
  CHECK_FALSE(planned(first));
  machine.spatial_order.gpu_source = SpeedSource::this_run;
  machine.spatial_order.gpu /= 3.0;  // slower than the other order is expected to be
  const auto second = planned(first);
  REQUIRE(second);
  CHECK(second->clustered);
  CHECK(second->most_pairs_per_gpu_task < first.most_pairs_per_gpu_task / 2);
  machine.spatial_order.gpu_source = SpeedSource::history;
  CHECK_FALSE(planned(first));
}

}  // namespace
}  // namespace starhist
