#include <cmath>

#include "tasks/planning/counting_speeds.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist {
namespace {

/// `count` particles at the density of liquid water's atoms, 100 per nm^3.
Frame liquid(std::size_t count) {
  testing::Random random(81);
  Frame frame;
  frame.box = testing::cubic_box(std::cbrt(0.01 * static_cast<double>(count)));
  frame.positions.push_back(testing::random_positions(random, frame.box, count));
  return frame;
}

HistogramLayout layout_to(double r_max) {
  HistogramLayout layout;
  layout.species = {"all"};
  layout.pairs = {{SpeciesId(0), SpeciesId(0)}};
  layout.bins = make_bins(r_max, 200);
  return layout;
}

/// Evaluated pairs per second, of all GPUs, otherwise of all CPU workers together.
struct Speeds {
  double any_order;
  double spatial_order;
  bool by_gpus;
  std::uint64_t workers;
};

tasks::ClusterEstimate estimate(double r_max, const Frame& frame,
                                const Speeds& speeds) {
  const auto of = [&](double speed) {
    return tasks::EvaluationSpeeds{speed / static_cast<double>(speeds.workers),
                                   speeds.by_gpus ? speed : 0.0};
  };
  tasks::MachineSpeeds machine;
  machine.workers = speeds.workers;
  machine.gpus = speeds.by_gpus ? 1 : 0;
  machine.any_order = of(speeds.any_order);
  machine.spatial_order = of(speeds.spatial_order);
  return tasks::estimate_clusters(machine,
                                  tasks::workload_of(layout_to(r_max), {}, {}, frame));
}

/// AVX2, distances that need no image search.
constexpr Speeds two_cores{4e9, 4e9 / 1.15, false, 2};

TEST_CASE("a short cut-off in a large box: few pairs are evaluated") {
  CHECK(estimate(1.0, liquid(100'000), two_cores).worth_while);
}

TEST_CASE("small frames and distances up to the corner: no tiles") {
  CHECK_FALSE(estimate(1.0, liquid(1'000), two_cores).worth_while);
  const Frame frame = liquid(20'000);
  const double far = 0.99 * frame.box.covering_radius();
  CHECK_FALSE(estimate(far, frame, two_cores).worth_while);
}

TEST_CASE("images of triclinic boxes to the corner: sorting pays on CPUs") {
  const auto of = [&](std::size_t particles) {
    testing::Random random(83);
    Frame frame;
    frame.box = testing::truncated_octahedron();
    frame.positions.push_back(testing::random_positions(random, frame.box, particles));
    const double far = 0.99 * frame.box.covering_radius();
    constexpr Speeds speeds{1.54e9, 4.66e9, false, 2};
    return estimate(far, frame, speeds);
  };
  CHECK(of(16'384).speedup == Approx(1.8).epsilon(0.1));  // as measured
  CHECK(of(524'288).speedup == Approx(2.5).epsilon(0.1));
  CHECK(of(8192).worth_while);
  CHECK_FALSE(of(4000).worth_while);
}

TEST_CASE(
    "a GPU counts tiles equally fast in all boxes: slow ones gain up to the corner") {
  constexpr std::size_t particles = 100'000;
  const auto of = [&](const Box& box, double any_order) {
    testing::Random random(82);
    Frame frame;
    frame.box = box;
    frame.positions.push_back(testing::random_positions(random, box, particles));
    const double far = box.has_volume() ? 0.99 * box.covering_radius() : 2.0;
    return estimate(far, frame, {any_order, 1.5e12, true, 12});
  };
  const tasks::ClusterEstimate octahedron = of(testing::truncated_octahedron(), 3e11);
  CHECK(octahedron.worth_while);
  CHECK(octahedron.speedup > 1.5);
  CHECK_FALSE(of(Box(), 1.7e12).worth_while);
}

TEST_CASE("a GPU sorts for cut-offs, and for many particles to half the box") {
  const auto worth_while = [](double r_max, const Frame& frame) {
    constexpr Speeds speeds{7e11, 1.56e12, true, 12};
    return estimate(r_max, frame, speeds).worth_while;
  };
  CHECK(worth_while(1.0, liquid(20'000)));
  // As measured: 7000 particles lose, 60 000 and 10^6 gain.
  const auto half = [](const Frame& frame) {
    return 0.5 * std::cbrt(frame.box.volume());
  };
  const Frame few = liquid(7000);
  CHECK_FALSE(worth_while(1.7 * half(few), few));
  const Frame some = liquid(60'000);
  CHECK(worth_while(1.7 * half(some), some));
  const Frame many = liquid(1'000'000);
  CHECK(worth_while(1.7 * half(many), many));
}

TEST_CASE("several GPUs sort as many frames at a time") {
  const Frame frame = liquid(100'000);
  const double far = 1.7 * 0.5 * std::cbrt(frame.box.volume());
  const HistogramLayout layout = layout_to(far);
  for (const std::uint64_t gpus : {1U, 2U, 8U, 16U}) {
    tasks::MachineSpeeds machine;
    machine.gpus = gpus;
    machine.any_order.gpu = 7e11;  // of each
    machine.spatial_order.gpu = 1.56e12;
    tasks::CountingOptions options;
    options.frames = 400;
    const auto worth_while = [&] {
      return tasks::estimate_clusters(machine,
                                      tasks::workload_of(layout, {}, options, frame))
          .worth_while;
    };
    INFO(gpus << " GPUs");
    CHECK(worth_while());
    options.frames = 1;  // one GPU sorts while the others wait
    CHECK(worth_while() == (gpus <= 8));
  }
}

TEST_CASE("open boxes use the bounds of the positions, no tiles without pairs") {
  Frame frame = liquid(100'000);
  frame.box = Box();
  CHECK(estimate(1.0, frame, two_cores).worth_while);
  frame.positions.front().clear();
  CHECK_FALSE(estimate(1.0, frame, two_cores).worth_while);
}

}  // namespace
}  // namespace starhist
