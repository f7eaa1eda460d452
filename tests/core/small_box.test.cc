#include "codelets/core/geometry/small_box.hh"

#include <cmath>

#include "codelets/core/geometry/measured_region.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

const std::array<bool, 3> all{true, true, true};

Box cube(double edge, const std::array<bool, 3>& periodic = all) {
  return Box({{{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}}}, periodic);
}

/// Particles near the points of a cubic lattice of spacing 1 in a cube of edge 10, each
/// in an image up to `images` boxes away.
std::vector<std::vector<double>> liquid(int images) {
  Random random(3);
  std::vector<double> positions;
  const auto coordinate = [&](int k) {
    return k + random.uniform(0.0, 0.3) +
           10.0 * std::floor(random.uniform(-images, images + 1.0));
  };
  for (int k = 0; k < 1000; ++k) {
    positions.push_back(coordinate(k % 10));
    positions.push_back(coordinate(k / 10 % 10));
    positions.push_back(coordinate(k / 100));
  }
  return {{}, positions};
}

TEST_CASE("images in a box that is too small overlay particles") {
  const auto found = find_small_box(cube(5.5), liquid(0));
  REQUIRE(found);
  CHECK(found->extent == Approx(10.0).margin(0.2));
  CHECK(found->nearest > 0.7);
  CHECK(found->nearest_in_box < 0.5);
  CHECK(found->overlays);
  CHECK(find_small_box(cube(5.5, {true, false, false}), liquid(0))->axis == 0);
  const auto thin =
      find_small_box(Box({{{10, 0, 0}, {0, 10, 0}, {0, 0, 3.3}}}, all), liquid(0));
  REQUIRE(thin);
  CHECK(thin->axis == 2);
  CHECK(thin->overlays);
}

TEST_CASE("images of unwrapped positions do not overlay particles") {
  const std::array<Vec3, 3> skewed{{{10, 0, 0}, {10, 10, 0}, {-10, 20, 10}}};
  for (const int images : {0, 1, 2, 5, 20}) {
    INFO(images << " images");
    for (const Box& box : {cube(10.0), Box(skewed, all)}) {
      const auto found = find_small_box(box, liquid(images));
      CHECK(!(found && found->overlays));
      CHECK((images == 0 || box == Box(skewed, all) || found));
    }
  }
  CHECK(!find_small_box(cube(10.0), liquid(0)));
  CHECK(!find_small_box(cube(20.0), liquid(0)));
  CHECK(!find_small_box(Box(), liquid(0)));
  CHECK(!find_small_box(cube(5.5), {{}, {1.0, 2.0, 3.0}}));
}

TEST_CASE("the volume that particles fill is measured along the open axes") {
  const auto filled = [](const std::array<bool, 3>& periodic) {
    return measured_volume(cube(10.0, periodic), liquid(0));
  };
  CHECK(filled({false, false, false}) == Approx(1000.0).epsilon(0.03));
  CHECK(filled({true, true, false}) == Approx(1000.0).epsilon(0.03));
  // A cylinder with the mean square distance of the cuboid from its axis.
  CHECK(filled({false, false, true}) == Approx(1047.0).epsilon(0.03));
  CHECK(measured_volume(Box(), {{1, 1, 1, 2, 2, 2, 3, 4, 5}}) == 0.0);
  Random random(4);
  std::vector<double> ball;
  while (ball.size() < 30000) {
    const Vec3 p{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)};
    if (dot(p, p) < 4.0) {
      // Rotated and stretched: the determinant is 6.
      ball.insert(ball.end(), {p.x + p.y + 7.0, 2.0 * p.y - 3.0, 3.0 * p.z + p.x});
    }
  }
  CHECK(measured_volume(Box(), {ball}) == Approx(0.89 * 6.0 * 33.51).epsilon(0.03));
}

}  // namespace
}  // namespace starhist::testing
