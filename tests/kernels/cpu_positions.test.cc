// Positions that are difficult for a fast kernel, against the reference.
#include <cmath>
#include <limits>

#include "tests/kernels/kernel_cases.hh"
#include "tests/support/catch.hh"
#include "tests/support/pair_problem.hh"

namespace starhist {
namespace {

using testing::counts_of;
using testing::difference;
using testing::PairProblem;
using testing::Random;

void check_every_variant(const std::string& name, const PairProblem& problem) {
  const testing::Counts expected = testing::reference_counts(problem);
  for (const auto& kernel : testing::cpu_kernels()) {
    INFO(name << ", " << kernel.name << ", " << problem.bins.count << " bins");
    CHECK(difference(counts_of(kernel.count, problem), expected) == "");
  }
}

TEST_CASE("unwrapped by up to 1000 boxes") {
  Random random(51);
  for (const auto& c : testing::kernel_cases()) {
    for (const bool like : {true, false}) {
      PairProblem problem =
          testing::random_problem(random, c.box, c.r_max, 2000, 100, like);
      testing::unwrap(random, c.box, 1000, problem.first);
      testing::unwrap(random, c.box, 1000, problem.second);
      check_every_variant(c.name, problem);
    }
  }
}

TEST_CASE("far from the origin") {
  Random random(52);
  for (const auto& c : testing::kernel_cases()) {
    for (const double far : {1e3, 1e6, 1e12}) {
      PairProblem problem =
          testing::random_problem(random, c.box, c.r_max, 2000, 100, true);
      for (double& x : problem.first) {
        x += far;
      }
      check_every_variant(c.name, problem);
    }
  }
}

TEST_CASE("a cluster of any size, down to one point") {
  Random random(53);
  for (const auto& c : testing::kernel_cases()) {
    for (const double size : {0.0, 1e-300, 1e-17, 1e-12, 1e-7, 1e-3}) {
      PairProblem problem{c.box, make_bins(c.r_max, 1000), {}, {}, true};
      for (int i = 0; i < 70; ++i) {
        testing::append(problem.first, Vec3{0.31, 0.62, 0.93} + random.vector(size));
      }
      check_every_variant(c.name, problem);
      problem.bins = make_bins(size == 0.0 ? 1e-3 : 1.7 * size, 1000);
      check_every_variant(c.name, problem);
    }
  }
}

TEST_CASE("in a plane, along a line and in two planes half a box apart") {
  Random random(54);
  for (const auto& c : testing::kernel_cases()) {
    const PairProblem flat =
        testing::random_problem(random, c.box, c.r_max, 1000, 90, true);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      PairProblem plane = flat;
      PairProblem line = flat;
      PairProblem planes = flat;
      for (std::size_t i = 0; i < flat.first.size(); i += 3) {
        plane.first[i + axis] = 0.25;
        line.first[i + axis] = 0.25;
        line.first[i + (axis + 1) % 3] = -0.5;
        const Vec3 half = 0.5 * c.box.edges()[axis];
        const double shift = i % 2 == 0 ? 0.0 : 1.0;
        planes.first[i] = shift * half.x;
        planes.first[i + 1] = shift * half.y;
        planes.first[i + 2] = shift * half.z;
      }
      check_every_variant(c.name + ", plane", plane);
      check_every_variant(c.name + ", line", line);
      check_every_variant(c.name + ", planes", planes);
    }
  }
}

/// `n`^3 particles on a cubic grid, each coordinate moved by up to `steps` units in the
/// last place of a double.
std::vector<double> grid(Random& random, int n, double spacing, int steps) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> positions;
  for (int i = 0; i < n * n * n; ++i) {
    for (const int cell : {i % n, i / n % n, i / n / n}) {
      double x = cell * spacing;
      for (int s = 0; s < steps; ++s) {
        const auto choice = random.below(3);
        x = choice == 0 ? x : std::nextafter(x, choice == 1 ? infinity : -infinity);
      }
      positions.push_back(x);
    }
  }
  return positions;
}

TEST_CASE("on a grid as wide as a bin, where every distance along an axis is an edge") {
  Random random(55);
  const auto cell = [](double length) {
    return std::vector<testing::NamedBox>{
        {"open", Box()},
        {"cubic", testing::cubic_box(length)},
        {"orthorhombic",
         testing::periodic_box({length, 0, 0}, {0, 2 * length, 0}, {0, 0, 3 * length})},
        {"sheared", testing::periodic_box({length, 0, 0}, {0.25 * length, length, 0},
                                          {-0.5 * length, 0.25 * length, length})},
        {"sheared slab", Box({Vec3{length, 0, 0}, {0.25 * length, length, 0}, {}},
                             {true, true, false})}};
  };
  for (const double spacing : {1.0, 0.25, 0.1, 1.0 / 3.0}) {
    for (const int steps : {0, 1, 3}) {
      for (const auto& [name, box] : cell(8 * spacing)) {
        PairProblem problem{box, make_bins(4 * spacing, 4), {}, {}, true};
        problem.first = grid(random, 6, spacing, steps);
        check_every_variant(name, problem);
        problem.bins = make_bins(8 * spacing, 800);
        check_every_variant(name, problem);
      }
    }
  }
}

}  // namespace
}  // namespace starhist
