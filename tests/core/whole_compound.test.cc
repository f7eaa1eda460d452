// Compounds cut by periodic boundaries are made whole, in boxes of every shape.
#include "codelets/core/molecules/whole_compound.hh"

#include <cmath>

#include "codelets/core/base/error.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Vec3 d = a[i] - b[i];
    largest = std::max(largest, std::sqrt(dot(d, d)));
  }
  return largest;
}

/// A random lattice vector of the box's periodic axes.
Vec3 any_lattice_vector(Random& random, const Box& box, int most) {
  Vec3 shift;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (box.periodic()[axis]) {
      const double cells = std::round((2.0 * random.uniform() - 1.0) * most);
      shift = shift + cells * box.edges()[axis];
    }
  }
  return shift;
}

/// Steps from one particle to the next, each of length `step` in a random direction,
/// and their sums from the first particle.
std::vector<Vec3> random_chain(Random& random, std::size_t count, double step) {
  std::vector<Vec3> chain(1);
  while (chain.size() < count) {
    const Vec3 v{random.uniform() - 0.5, random.uniform() - 0.5,
                 random.uniform() - 0.5};
    const double length = std::sqrt(dot(v, v));
    if (length > 0.1) {
      chain.push_back(chain.back() + (step / length) * v);
    }
  }
  return chain;
}

TEST_CASE("a compound that is cut by boundaries, and scattered, is made whole") {
  Random random(5);
  for (const NamedBox& named : test_boxes()) {
    INFO(named.name);
    const double shortest = std::isfinite(named.box.inscribed_radius())
                                ? named.box.inscribed_radius()
                                : 1.0;
    for (int n = 0; n < 40; ++n) {
      // Short ones use the fast path, long ones the tree.
      const double step = (n % 2 == 0 ? 0.02 : 0.2) * shortest;
      const std::vector<Vec3> chain = random_chain(random, 7, step);
      const Vec3 origin{random.uniform(), random.uniform(), random.uniform()};
      std::vector<Vec3> scattered;
      for (const Vec3& place : chain) {
        scattered.push_back(origin + place + any_lattice_vector(random, named.box, 3));
      }
      WholeCompound whole;
      const double error =
          largest_difference(whole.displacements(named.box, scattered), chain);
      CHECK(error < 1e-12);
    }
  }
}

TEST_CASE("long chains are made whole through cells of any size") {
  Random random(6);
  for (const NamedBox& named : test_boxes()) {
    INFO(named.name);
    if (!std::isfinite(named.box.inscribed_radius())) {
      continue;
    }
    WholeCompound whole;  // with the cut-off of the chains before
    for (const double relative : {0.01, 0.3, 0.05, 0.9}) {
      // Straight, because a chain that returns to one of its images is another
      // compound.
      const std::size_t count = relative < 0.2 ? 300 : 60;
      const double step = relative * named.box.inscribed_radius();
      const Vec3 along{0.36 * step, 0.48 * step, 0.8 * step};
      std::vector<Vec3> chain;
      std::vector<Vec3> scattered;
      const Vec3 origin{random.uniform(), random.uniform(), random.uniform()};
      const double longest =
          (relative < 0.5 ? 1.4 : 1.0) * named.box.inscribed_radius();
      for (std::size_t k = 0; k < count && double(k) * step < longest; ++k) {
        chain.push_back(double(k) * along);
        scattered.push_back(origin + chain.back() +
                            any_lattice_vector(random, named.box, 3));
      }
      CHECK(largest_difference(whole.displacements(named.box, scattered), chain) <
            1e-11);
    }
  }
}

TEST_CASE("a straight chain longer than the box, in any order of its particles") {
  const Box box = periodic_box({3, 0, 0}, {1, 3, 0}, {-1, 1, 3});
  const Vec3 step{0.3, 0.4, 0.5};
  std::vector<Vec3> expected;
  std::vector<Vec3> positions;
  for (const int k : {0, 7, 3, 11, 5, 1, 9, 2, 4, 10, 6, 8}) {
    expected.push_back(double(k) * step);
    const Vec3 wrapped = double(k) * step;
    positions.push_back(wrapped + double(-(k % 3)) * box.edges()[std::size_t(k) % 3]);
  }
  WholeCompound whole;
  CHECK(largest_difference(whole.displacements(box, positions), expected) < 1e-12);
}

TEST_CASE("pieces that are half a box apart are refused") {
  const Box box = cubic_box(10);
  WholeCompound whole;
  const std::string message = error_text<InputError>([&] {
    whole.displacements(box, {{0, 0, 0}, {4.9, 0, 0}, {4.9, 5.0, 0}});
  });
  CHECK(missing(message, {"5 apart", "half the shortest lattice vector (5)"}) == "");
  whole.displacements(box, {{0, 0, 0}, {4.9, 0, 0}, {4.9, 4.9, 0}, {2, 9.7, 0}});
  // A piece without needed particles may be anywhere.
  const std::vector<Vec3> pieces{{0, 0, 0}, {4.9, 0, 0}, {4.9, 5.0, 0}};
  CHECK(whole.displacements(box, pieces, 2)[1] == Vec3{4.9, 0, 0});
}

TEST_CASE("centres of mass and geometry, near the first particle") {
  const std::vector<Vec3> places{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
  CHECK(centre_of({5, 6, 7}, places, {2, 1, 1}) == Vec3{5.25, 6.5, 7});
  CHECK(centre_of({5, 6, 7}, places, {0, 0, 1}) == Vec3{5, 8, 7});
  CHECK(centre_of({0.1, 0.2, 0.3}, {{0, 0, 0}}, {15.999}) == Vec3{0.1, 0.2, 0.3});
}

}  // namespace
}  // namespace starhist::testing
