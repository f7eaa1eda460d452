// Counts that every kernel must return in cases with a known answer.
#include <cmath>
#include <numeric>

#include "codelets/core/counting/bin_position.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/pair_problem.hh"

namespace starhist {
namespace {

using testing::all_kernels;
using testing::Counts;
using testing::counts_of;
using testing::cubic_box;
using testing::difference;
using testing::PairProblem;

/// Like particles.
PairProblem particles(const Box& box, double r_max, std::uint32_t bin_count,
                      std::initializer_list<Vec3> positions) {
  PairProblem problem{box, make_bins(r_max, bin_count), {}, {}, true};
  for (const Vec3 position : positions) {
    testing::append(problem.first, position);
  }
  return problem;
}

void check_every_kernel(const PairProblem& problem, const Counts& expected) {
  for (const auto& kernel : all_kernels()) {
    INFO(kernel.name);
    CHECK(difference(counts_of(kernel.count, problem), expected) == "");
  }
}

/// The bin that holds the one pair of a problem.
void check_only_bin(const PairProblem& problem, std::size_t bin) {
  Counts expected(problem.bins.count + 1ULL);
  expected[bin] = 1;
  check_every_kernel(problem, expected);
}

TEST_CASE("two particles across the boundary of each box") {
  // 0.02 and 0.98 of a box of 10: 0.4 apart.
  for (const auto& box :
       {cubic_box(10.0), testing::periodic_box({10, 0, 0}, {3, 11, 0}, {-2, 4, 12}),
        Box({Vec3{10, 0, 0}, {}, {}}, {true, false, false})}) {
    check_only_bin(particles(box, 5.0, 99, {{0.2, 1, 1}, {9.8, 1, 1}}), 7);
    check_only_bin(particles(box, 5.0, 99, {{9.8, 1, 1}, {0.2, 1, 1}}), 7);
    check_only_bin(particles(box, 5.0, 99, {{20009.8, 1, 1}, {-9999.8, 1, 1}}), 7);
  }
  check_only_bin(particles(Box(), 5.0, 99, {{0.2, 1, 1}, {9.8, 1, 1}}), 99);
  check_only_bin(particles(Box(), 10.0, 99, {{0.2, 1, 1}, {9.8, 1, 1}}), 95);
}

TEST_CASE("a distance on an edge, or 2^-30 bins below it, belongs to the upper bin") {
  for (const auto& box : {Box(), cubic_box(64.0), testing::hexagonal_box(64.0)}) {
    for (const double r : {0.25, 0.5, 7.75}) {
      const auto bin = static_cast<std::size_t>(4 * r);
      const double lowest = r - 0x1p-32;  // bins are a quarter wide
      const double below = std::nextafter(lowest, 0.0);
      const double above = std::nextafter(r, 8.0);
      check_only_bin(particles(box, 8.0, 32, {{0, 0, 0}, {0, 0, r}}), bin);
      check_only_bin(particles(box, 8.0, 32, {{0, 0, 0}, {0, 0, lowest}}), bin);
      check_only_bin(particles(box, 8.0, 32, {{0, 0, 0}, {0, 0, below}}), bin - 1);
      check_only_bin(particles(box, 8.0, 32, {{0, 0, 0}, {0, 0, above}}), bin);
    }
    check_only_bin(particles(box, 8.0, 32, {{0, 0, 0}, {0, 0, 8.0}}), 32);
    check_only_bin(particles(box, 8.0, 32, {{0, 0, 8.0 - 0x1p-32}, {}}), 32);
    check_only_bin(particles(box, 8.0, 32, {{0, 0, 8.0 - 0x1p-31}, {}}), 31);
  }
}

TEST_CASE("coincident particles are pairs in the first bin") {
  for (const auto& [name, box] : testing::test_boxes()) {
    INFO(name);
    for (const std::uint32_t bin_count : {1U, 1000U, 300'000U}) {
      PairProblem problem = particles(box, 0.9, bin_count, {});
      for (int i = 0; i < 100; ++i) {
        testing::append(problem.first, {0.3, 0.1, 0.7});
      }
      Counts expected(bin_count + 1ULL);
      expected[0] = 4950;
      check_every_kernel(problem, expected);
      problem.like = false;
      problem.second = problem.first;
      expected[0] = 10'000;
      check_every_kernel(problem, expected);
    }
  }
}

TEST_CASE("a like pair is counted once, an unlike one for each particle of either") {
  // An isosceles triangle with sides 3, 4, 4; a tip 4 away from both ends of its base.
  const double height = std::sqrt(16.0 - 2.25);
  PairProblem problem =
      particles(Box(), 8.0, 8, {{0, 0, 0}, {3, 0, 0}, {1.5, height, 0}});
  problem.bins = make_bins(8.8, 8);
  check_every_kernel(problem, {0, 0, 1, 2, 0, 0, 0, 0, 0});
  problem.like = false;
  problem.second = {1.5, height, 0.0};
  check_every_kernel(problem, {1, 0, 0, 2, 0, 0, 0, 0, 0});
}

/// Checks the numbers of neighbours of a particle in the shells of squared radius 1, 2,
/// ... times `step`, if all `count` particles of the problem have the same
/// surroundings.
void check_shells(const PairProblem& problem, double step,
                  const std::vector<std::uint64_t>& neighbours) {
  const std::uint64_t count = problem.first.size() / 3;
  for (const auto& kernel : all_kernels()) {
    INFO(kernel.name);
    const Counts counts = counts_of(kernel.count, problem);
    std::uint64_t shell_sum = 0;
    for (std::size_t shell = 0; shell < neighbours.size(); ++shell) {
      const double r = std::sqrt(static_cast<double>(shell + 1) * step);
      const std::uint64_t pairs =
          counts[bin_at(problem.bins, bin_position(problem.bins, r))];
      CHECK(2 * pairs == neighbours[shell] * count);
      shell_sum += pairs;
    }
    CHECK(std::accumulate(counts.begin(), counts.end() - 1, std::uint64_t{0}) ==
          shell_sum);
  }
}

TEST_CASE("shells of the simple cubic lattice: 6, 12, 8, 6, 24, 24") {
  PairProblem problem = particles(cubic_box(6.0), 2.6, 40, {});
  for (int i = 0; i < 216; ++i) {
    testing::append(problem.first, {i % 6 + 0.3, i / 6 % 6 + 0.2, i / 36 - 0.1});
  }
  check_shells(problem, 1.0, {6, 12, 8, 6, 24, 24});
}

TEST_CASE("shells of the face-centred lattice, in a cube and in a rhombohedron") {
  const Vec3 basis[4] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
  PairProblem cube = particles(cubic_box(4.0), 1.74, 40, {});
  for (int i = 0; i < 64; ++i) {
    const Vec3 corner{i % 4 + 0.1, i / 4 % 4 + 0.2, i / 16 + 0.3};
    for (const Vec3 offset : basis) {
      testing::append(cube.first, corner + offset);
    }
  }
  check_shells(cube, 0.5, {12, 6, 24, 12, 24, 8});

  // The same crystal in its primitive cell, n times along each edge: below half the
  // width of the reduced cell for n = 9, beyond it for n = 5.
  for (const int n : {5, 9}) {
    const auto edge = [n](Vec3 v) { return static_cast<double>(n) * v; };
    PairProblem rhombohedron =
        particles(testing::periodic_box(edge(basis[1]), edge(basis[3]), edge(basis[2])),
                  1.74, 40, {});
    for (int i = 0; i < n * n * n; ++i) {
      testing::append(rhombohedron.first,
                      static_cast<double>(i % n) * basis[1] +
                          static_cast<double>(i / n % n) * basis[2] +
                          static_cast<double>(i / n / n) * basis[3]);
    }
    CHECK((rhombohedron.box.rounding_radius() > 1.74) == (n == 9));
    CHECK(rhombohedron.box.inscribed_radius() > 1.74);
    check_shells(rhombohedron, 0.5, {12, 6, 24, 12, 24, 8});
  }
}

}  // namespace
}  // namespace starhist
