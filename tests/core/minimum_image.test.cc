#include "codelets/core/geometry/minimum_image.hh"

#include <cmath>

#include "codelets/core/base/error.hh"
#include "codelets/core/geometry/lattice.hh"
#include "tests/support/boxes.hh"
#include "tests/support/brute_force.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist {
namespace {

using testing::BruteForce;
using testing::Random;

double distance(const Box& box, Vec3 p, Vec3 q) {
  return std::sqrt(minimum_distance2(box.minimum_image(), p, q));
}

/// A position in the cell, or up to `boxes` cells away along the periodic axes.
Vec3 random_position(Random& random, const Box& box, int boxes) {
  auto positions = testing::random_positions(random, box, 1);
  testing::unwrap(random, box, boxes, positions);
  return {positions[0], positions[1], positions[2]};
}

/// Largest |distance - brute force|, in units of the rounded quantities.
double largest_error(Random& random, const Box& box, int pairs, int boxes) {
  const BruteForce brute_force(box);
  double largest = 0.0;
  for (int n = 0; n < pairs; ++n) {
    const Vec3 p = random_position(random, box, boxes);
    const Vec3 q = random_position(random, box, boxes);
    const double error = std::abs(distance(box, p, q) - brute_force.distance(p, q));
    largest = std::max(largest, error / (length(p) + length(q)));
  }
  return largest;
}

/// A right-handed box with random edges and axes, sometimes with special angles; not so
/// long and skewed that the brute force search would take too long.
Box random_box(Random& random, double aspect, int skew) {
  for (;;) {
    std::array<Vec3, 3> edges;
    for (Vec3& edge : edges) {
      const Vec3 direction = random.vector(1.0);
      edge = (random.log_uniform(1.0, aspect) / length(direction)) * direction;
    }
    if (random.chance(0.3)) {  // nearly a right angle
      const double tilt = random.chance(0.5) ? 0.0 : random.log_uniform(1e-15, 1e-3);
      edges[1] = shifted(
          edges[1], dot(edges[1], edges[0]) / dot(edges[0], edges[0]) - tilt, edges[0]);
    }
    if (random.chance(0.5)) {
      const auto i = random.below(3);
      edges[i] = edges[i] + static_cast<double>(
                                random.below(static_cast<std::uint64_t>(skew) + 1)) *
                                edges[(i + 1) % 3];
    }
    std::array<bool, 3> periodic{true, true, true};
    if (random.chance(0.2)) {
      periodic[random.below(3)] = false;
    }
    try {
      const Box box(edges, periodic);
      if (BruteForce(box).image_count() < 30'000) {
        return box;
      }
    } catch (const InputError&) {  // flat: draw again
    }
  }
}

TEST_CASE("distances equal the brute force search in boxes of every shape") {
  Random random(7);
  for (const auto& [name, box] : testing::test_boxes()) {
    INFO(name);
    const int pairs = name.find("needle") == std::string::npos ? 2000 : 100;
    CHECK(largest_error(random, box, pairs, 0) < 1e-14);
    CHECK(largest_error(random, box, pairs / 10, 1000) < 1e-14);
  }
}

TEST_CASE("distances equal the brute force search in random boxes") {
  Random random(8);
  for (int trial = 0; trial < 400; ++trial) {
    const Box box = random_box(random, 3.0, 2);
    INFO(trial);
    CHECK(largest_error(random, box, 40, trial % 2 == 0 ? 0 : 1000) < 1e-13);
  }
  for (int trial = 0; trial < 40; ++trial) {
    const Box box = random_box(random, 30.0, 1);
    INFO(trial);
    CHECK(largest_error(random, box, 5, 0) < 1e-13);
  }
}

/// Moves `p` so that the image of `q` across each lattice vector is as near as q: the
/// hardest choice.
TEST_CASE("positions on the facets, edges and corners of the Wigner-Seitz cell") {
  Random random(9);
  for (int trial = 0; trial < 300; ++trial) {
    const Box box = random_box(random, 2.0, 1);
    const BruteForce brute_force(box);
    const MinimumImage& image = box.minimum_image();
    for (int n = 0; n < 20; ++n) {
      Vec3 v;
      for (const Vec3 edge : image.edge) {
        v = v + (static_cast<double>(random.below(3)) - 1.0) * edge;
      }
      if (v == Vec3{}) {
        continue;
      }
      const Vec3 across = random.vector(1.0);
      const double tiny = random.chance(0.3) ? 0.0 : random.uniform(-1e-12, 1e-12);
      const Vec3 d = shifted(across, dot(across, v) / dot(v, v) - 0.5 - tiny, v);
      const Vec3 q = random.vector(1.0);
      CHECK(std::abs(distance(box, q + d, q) - brute_force.distance(q + d, q)) < 1e-13);
    }
  }
}

TEST_CASE("swapping the positions changes no bit") {
  Random random(10);
  for (int trial = 0; trial < 500; ++trial) {
    const Box box = random_box(random, 10.0, 3);
    for (int n = 0; n < 40; ++n) {
      const Vec3 p = random_position(random, box, 10);
      const Vec3 q = random_position(random, box, 10);
      CHECK(minimum_distance2(box.minimum_image(), p, q) ==
            minimum_distance2(box.minimum_image(), q, p));
    }
  }
}

TEST_CASE("half a box is half a box, from either side") {
  const Box cubic = testing::cubic_box(4.0);
  CHECK(distance(cubic, {0, 0, 0}, {2, 0, 0}) == 2.0);
  CHECK(distance(cubic, {2, 0, 0}, {0, 0, 0}) == 2.0);
  CHECK(distance(cubic, {-1, 0, 0}, {1, 0, 0}) == 2.0);
  CHECK(distance(cubic, {0, 0, 0}, {2, 2, 2}) == std::sqrt(12.0));
  CHECK(distance(cubic, {0, 0, 0}, {4000, -8000, 4}) == 0.0);
  const Box sheared = testing::periodic_box({4, 0, 0}, {2, 4, 0}, {0, 0, 4});
  CHECK(distance(sheared, {0, 0, 0}, {2, 0, 0}) == 2.0);
  CHECK(distance(sheared, {0, 0, 0}, {1, 2, 0}) == std::sqrt(5.0));
  CHECK(distance(sheared, {0, 0, 0}, {2, 1.5, 0}) == 2.5);  // a corner of the hexagon
}

TEST_CASE("a skewed basis of the same lattice gives the same distances") {
  Random random(11);
  const Vec3 a{1.0, 0.05, -0.02};
  const Vec3 b{0.31, 0.92, 0.07};
  const Vec3 c{-0.22, 0.35, 1.13};
  const Box plain = testing::periodic_box(a, b, c);
  for (const Box& skewed : {testing::periodic_box(a, b + 2.0 * a, c),
                            testing::periodic_box(a, b + 37.0 * a, c),
                            testing::periodic_box(a, b, c + -11.0 * a + 5.0 * b)}) {
    for (int n = 0; n < 2000; ++n) {
      const Vec3 p = random_position(random, plain, 3);
      const Vec3 q = random_position(random, plain, 3);
      CHECK(std::abs(distance(skewed, p, q) - distance(plain, p, q)) < 1e-13);
    }
  }
}

TEST_CASE("no distance exceeds the covering radius, and some come near it") {
  Random random(12);
  for (const auto& [name, box] : testing::test_boxes()) {
    if (!box.has_volume()) {
      continue;
    }
    INFO(name);
    double largest = 0.0;
    for (int n = 0; n < 100'000; ++n) {
      largest = std::max(largest, distance(box, random_position(random, box, 0), {}));
    }
    CHECK(largest < box.covering_radius() * (1.0 + 1e-14));
    CHECK(largest > box.covering_radius() * 0.95);
  }
}

TEST_CASE("the rounding radius separates boxes with and without an image search") {
  Random random(13);
  for (const auto& [name, box] : testing::test_boxes()) {
    if (box.kind() != BoxKind::triclinic) {
      continue;
    }
    INFO(name);
    MinimumImage rounding_only = box.minimum_image();
    rounding_only.facet_count = 0;
    CHECK(std::abs(std::sqrt(rounding_only.exact_rounding_r2) / box.rounding_radius() -
                   1.0) < 1e-8);
    std::uint64_t wrong_beyond = 0;
    for (int n = 0; n < 100'000; ++n) {
      const Vec3 p = random_position(random, box, 0);
      const double r2 = minimum_distance2(box.minimum_image(), p, {});
      const double nearest_integer_r2 = minimum_distance2(rounding_only, p, {});
      if (r2 < rounding_only.exact_rounding_r2) {
        REQUIRE(nearest_integer_r2 == r2);
      } else if (nearest_integer_r2 != r2) {
        ++wrong_beyond;
      }
    }
    CHECK(wrong_beyond > 0);
  }
}

}  // namespace
}  // namespace starhist
