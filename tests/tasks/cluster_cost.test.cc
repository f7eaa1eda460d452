#include "tasks/planning/cluster_cost.hh"

#include <algorithm>
#include <cmath>

#include "codelets/kernels/clusters/cluster_boxes.hh"
#include "tasks/planning/row_split.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist {
namespace {

Frame frame_in(const Box& box, std::size_t count) {
  testing::Random random(84);
  Frame frame;
  frame.box = box;
  frame.positions.push_back(testing::random_positions(random, box, count));
  return frame;
}

/// Cost of each particle on GPUs, per pair of `count` particles.
double of_particles(std::size_t count, bool by_gpus) {
  return by_gpus ? tasks::gpu_cost_of_a_particle * 2.0 / static_cast<double>(count)
                 : 0.0;
}

TEST_CASE("tile effort: the share of near pairs, as measured") {
  // 100 per nm^3, 1 nm: 2.88 % on two cores, 3.39 % on a GPU.
  const Frame liquid = frame_in(testing::cubic_box(10.0), 100'000);
  const tasks::ClusterCost cpu =
      tasks::ClusterCostModel(liquid, 1.0).of(100'000, 100'000, false);
  CHECK(cpu.evaluated == Approx(0.0288).epsilon(0.2));
  CHECK(cpu.work > cpu.evaluated);  // all boxes are tested
  const tasks::ClusterCost gpu =
      tasks::ClusterCostModel(liquid, 1.0).of(100'000, 100'000, true);
  CHECK(gpu.evaluated == Approx(0.0339).epsilon(0.2));
}

TEST_CASE("tile effort: more images for fewer particles") {
  const Frame far = frame_in(testing::truncated_octahedron(), 1000);
  const double r_max = far.box.covering_radius();
  for (const bool by_gpus : {false, true}) {
    const tasks::ClusterCostModel cost_model(far, r_max);
    double last = 53.0;  // of 27 images
    for (const std::size_t particles : {1U, 100U, 10'000U, 1'000'000U}) {
      const tasks::ClusterCost cost = cost_model.of(particles, particles, by_gpus);
      CHECK(cost.evaluated == 1.0);
      const double of_pairs = cost.work - of_particles(particles, by_gpus);
      CHECK(of_pairs <= last);
      CHECK(of_pairs > 1.0);
      last = of_pairs;
    }
    CHECK(last < 1.5);
    // Few particles have wide clusters, whatever the other species.
    CHECK(cost_model.of(100, 1'000'000, by_gpus).work > 2.0 * last);
  }
  const Frame open = frame_in(Box(), 1000);
  CHECK(tasks::ClusterCostModel(open, 10.0).of(1000, 1000, true).work ==
        Approx(1.0005 + of_particles(1000, true)));
}

TEST_CASE(
    "cluster cost: average over all pairs of a frame, without pairs, without volume") {
  Frame frame = frame_in(testing::cubic_box(1.0), 3000);
  frame.positions.push_back(frame_in(frame.box, 50).positions.front());
  HistogramLayout layout;
  layout.species = {"a", "b"};
  layout.pairs = {{SpeciesId(0), SpeciesId(0)}, {SpeciesId(0), SpeciesId(1)}};
  layout.bins = make_bins(0.1, 10);
  tasks::ClusterCostModel cost_model(frame, 0.1);
  const double like = 3000.0 * 2999.0 / 2.0;
  const double unlike = 3000.0 * 50.0;
  CHECK(cost_model.of(layout, frame, false).work ==
        Approx((like * cost_model.of(3000, 3000, false).work +
                unlike * cost_model.of(3000, 50, false).work) /
               (like + unlike)));
  CHECK(cost_model.of(0, 50, false).work == 1.0);
  perfmodels::WorkSize size{1000, 0, 0, 10, 1};
  cost_model.set_evaluated(perfmodels::PairKind::unlike, 3000, 3000, size);
  CHECK(size.evaluated < 1000);
  // On a GPU, each of the 9000 tasks of the frame builds clusters of all particles.
  CHECK(static_cast<double>(size.evaluated_by_gpu) ==
        Approx(1000.0 * (cost_model.of(3000, 3000, true).work +
                         8999.0 * of_particles(3000, true))));
  perfmodels::WorkSize frames{2 * 9'000'000, 0, 0, 10, 2};
  cost_model.set_evaluated(perfmodels::PairKind::unlike, 3000, 3000, frames);
  CHECK(static_cast<double>(frames.evaluated_by_gpu) ==
        Approx(2.0 * 9e6 * cost_model.of(3000, 3000, true).work));
  size.pairs = 1;
  cost_model.set_evaluated(perfmodels::PairKind::unlike, 3000, 3000, size);
  CHECK(size.evaluated == 1);
  Frame point = frame_in(Box(), 10);
  point.positions.front().assign(30, 0.5);
  CHECK(tasks::ClusterCostModel(point, 1.0).of(10, 10, true).work == 1.0);
  frame.positions = {{}, {}};
  CHECK(cost_model.of(layout, frame, false).work == 1.0);
}

TEST_CASE("parts of a like pair cost as much as their near pairs") {
  constexpr std::uint64_t count = 2000;
  constexpr double r_max = 0.15;
  Frame frame = frame_in(testing::cubic_box(1.0), count);
  tasks::ClusterCostModel cost_model(frame, r_max);
  const auto evaluated = [&](std::optional<tasks::RowRange> rows) {
    const tasks::RowRange range = rows.value_or(tasks::RowRange{0, count});
    perfmodels::WorkSize size;
    size.pairs = tasks::pairs_before(range.end, count, true) -
                 tasks::pairs_before(range.begin, count, true);
    size.frame_count = 1;
    cost_model.set_evaluated(perfmodels::PairKind::like, count, count, size, rows);
    return static_cast<double>(size.evaluated);
  };
  const double whole = evaluated({});
  CHECK(evaluated(tasks::RowRange{0, count}) == Approx(whole));
  constexpr double look = 0.01;
  const double near_cost =
      whole - look * static_cast<double>(tasks::pairs_before(count, count, true));
  const tasks::NearPairsByRow near_pairs(
      frame.box.minimum_image(), {}, count,
      {kernels::row_cluster_size, kernels::cluster_size}, r_max);
  const auto share = [&](std::uint64_t row) {
    return near_pairs.before(static_cast<double>(row) / static_cast<double>(count));
  };
  double sum = 0.0;
  for (const tasks::RowRange& rows : tasks::split_rows({0, count}, count, true, 6)) {
    const double pairs =
        static_cast<double>(tasks::pairs_before(rows.end, count, true) -
                            tasks::pairs_before(rows.begin, count, true));
    sum += evaluated(rows);
    CHECK(evaluated(rows) ==
          Approx(look * pairs + near_cost * (share(rows.end) - share(rows.begin))));
  }
  CHECK(sum == Approx(whole));
  frame.box = testing::cubic_box(2.0);
  cost_model.set_frame(frame);
  CHECK(evaluated({}) < 0.7 * whole);
}

TEST_CASE("tasks of one frame cost a GPU equally much") {
  constexpr std::uint64_t count = 2'000'000;
  const Frame frame = frame_in(testing::cubic_box(1.0), count);
  tasks::ClusterCostModel cost_model(frame, 0.48);
  const auto cost = [&](const tasks::RowRange& rows, bool with_rows) {
    perfmodels::WorkSize size;
    size.pairs = tasks::pairs_before(rows.end, count, true) -
                 tasks::pairs_before(rows.begin, count, true);
    size.frame_count = 1;
    cost_model.set_evaluated(perfmodels::PairKind::like, count, count, size,
                             with_rows ? std::optional(rows) : std::nullopt);
    return static_cast<double>(size.evaluated_by_gpu);
  };
  const double whole = cost({0, count}, false);
  CHECK(cost({0, count}, true) == Approx(whole));
  const auto range_of = [&](const std::vector<tasks::RowRange>& parts) {
    double least = whole;
    double most = 0.0;
    for (const tasks::RowRange& rows : parts) {
      least = std::min(least, cost(rows, true));
      most = std::max(most, cost(rows, true));
    }
    return most / least;
  };
  const auto by_cost = cost_model.split_rows_for_gpus({0, count}, count, 12);
  CHECK(by_cost.size() == 12);
  CHECK(by_cost.front().begin == 0);
  CHECK(by_cost.back().end == count);
  CHECK(range_of(by_cost) < 1.01);
  // Measured for equal numbers of pairs, on an H200: 1.55.
  CHECK(range_of(tasks::split_rows({0, count}, count, true, 12)) ==
        Approx(1.6).epsilon(0.1));
}

}  // namespace
}  // namespace starhist
