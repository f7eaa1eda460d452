#include "codelets/core/molecules/neighbour_cells.hh"

#include "tests/support/brute_force.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

/// A random box with `axes` periodic edges; skewed unless all axes are periodic and
/// `orthogonal`.
Box random_box(Random& random, int axes, bool orthogonal) {
  std::array<Vec3, 3> edges{Vec3{random.log_uniform(1.0, 8.0), 0, 0},
                            Vec3{0, random.log_uniform(1.0, 8.0), 0},
                            Vec3{0, 0, random.log_uniform(1.0, 8.0)}};
  if (!orthogonal) {
    edges[1] = edges[1] + random.log_uniform(0.1, 3.0) * edges[0];
    edges[2] = edges[2] + random.log_uniform(0.1, 2.0) * edges[1];
  }
  return Box(edges, {axes > 0, axes > 2, axes > 1});
}

std::vector<double> random_positions(Random& random, std::size_t count, double extent) {
  std::vector<double> positions(3 * count);
  for (double& x : positions) {
    x = random.log_uniform(1e-3, extent) * (random.chance(0.5) ? 1.0 : -1.0);
  }
  return positions;
}

Vec3 at(const std::vector<double>& positions, std::size_t i) {
  return {positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
}

TEST_CASE("cells find all positions near points, as all pairs do, in any box") {
  Random random(20);
  NeighbourCells cells;  // reused
  std::size_t found = 0;
  std::size_t asked = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const int axes = trial % 4;
    const Box box = random_box(random, axes, random.chance(0.5));
    const BruteForce brute_force(box);
    if (brute_force.image_count() > 2000) {
      continue;
    }
    const double radius = random.log_uniform(0.02, 4.0);
    const std::vector<double> positions = random_positions(random, 60, 30.0);
    std::vector<std::uint32_t> points;
    for (std::uint32_t i = 0; i < random.below(20) + 1; ++i) {
      points.push_back(3 * i);
    }
    cells.sort(box, radius, positions, points);
    for (std::size_t i = 0; i < 60; ++i) {
      double nearest = 1e300;
      for (const std::uint32_t point : points) {
        nearest = std::min(
            nearest, brute_force.distance(at(positions, i), at(positions, point)));
      }
      CHECK(cells.any_within(at(positions, i)) == (nearest <= radius));
      found += nearest <= radius ? 1 : 0;
      ++asked;
    }
  }
  CHECK(found > asked / 10);
  CHECK(found < asked / 10 * 9);
}

TEST_CASE("the radius belongs to the neighbourhood, also with rounded decimals") {
  const Box box({Vec3{2, 0, 0}, Vec3{0, 2, 0}, Vec3{0, 0, 2}}, {true, true, true});
  NeighbourCells cells;
  // 0.45 - 0.1 is 0.35000000000000003 in double precision
  const std::vector<double> positions{0.1, 0, 0, 0.45, 0, 0, 0.4501, 0, 0, 1.75, 0, 0};
  cells.sort(box, 0.35, positions, {0});
  CHECK(cells.any_within(at(positions, 0)));
  CHECK(cells.any_within(at(positions, 1)));
  CHECK(!cells.any_within(at(positions, 2)));
  CHECK(cells.any_within(at(positions, 3)));  // through the boundary
  CHECK(cells.any_within({2e9 + 0.1, -2e9, 0}));
}

TEST_CASE(
    "cells without points are near no position, and cells are limited in number") {
  const Box box({Vec3{2, 0, 0}, Vec3{0, 2, 0}, Vec3{0, 0, 2}}, {true, true, true});
  NeighbourCells cells;
  const std::vector<double> positions{0.5, 0.5, 0.5, 1e9, 0, 0};
  cells.sort(box, 1e-6, positions, {0});
  CHECK(cells.any_within({0.5, 0.5, 0.5}));
  CHECK(!cells.any_within({0.5, 0.5, 0.50001}));
  cells.sort(Box(), 1e-6, positions, {0, 1});
  CHECK(cells.any_within({1e9, 0, 0}));
  CHECK(!cells.any_within({5e8, 0, 0}));
  CHECK(!cells.any_within({-1e300, 0, 0}));
  cells.sort(box, 1.0, positions, {});
  CHECK(!cells.any_within({0.5, 0.5, 0.5}));
}

}  // namespace
}  // namespace starhist::testing
