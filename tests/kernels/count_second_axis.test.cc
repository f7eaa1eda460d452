#include <algorithm>

#include "codelets/kernels/cpu/second_axis/cpu_count_second_axis.hh"
#include "codelets/kernels/cpu/variants.hh"
#include "codelets/kernels/reference/reference_count_pairs.hh"
#include "tests/kernels/second_axis_cases.hh"
#include "tests/support/catch.hh"

namespace starhist::testing {
namespace {

using kernels::SecondAxisCount;
using kernels::SecondAxisPairs;
using Kind = SecondAxis::Kind;

struct Counted {
  std::vector<std::uint64_t> counts;
  std::uint64_t decided = 0;  ///< pairs that pair_cell() decided
};

/// The entry of pairs out of range, which is not defined, is set to 0.
Counted count_once(const SecondAxisPairs& pairs) {
  const SecondAxisCount counter(pairs);
  Counted result{std::vector<std::uint64_t>(out_of_range(pairs) + 1), 0};
  for (std::size_t part = 0; part < counter.parts(); ++part) {
    result.decided += counter.count(part, result.counts.data());
  }
  result.counts.back() = 0;
  return result;
}

/// Counts with each variant that this processor supports; the results are equal.
/// `decided` is the largest one.
Counted count(const SecondAxisPairs& pairs) {
  const std::string selected = kernels::cpu::selected_variant().name;
  Counted result;
  for (const kernels::cpu::Variant& variant : kernels::cpu::variants()) {
    if (!variant.supported) {
      continue;
    }
    kernels::cpu::select_variant(variant.name);
    INFO(variant.name);
    Counted own = count_once(pairs);
    if (result.counts.empty()) {
      result.counts = own.counts;
    }
    REQUIRE(own.counts == result.counts);
    result.decided = std::max(result.decided, own.decided);
  }
  kernels::cpu::select_variant(selected);
  return result;
}

/// Counts by distance only, times SecondAxis::orders().
std::vector<std::uint64_t> by_distance(const SecondAxisPairs& pairs) {
  kernels::PairBlock block{pairs.first, pairs.second,      pairs.like,
                           0,           pairs.first.count, &pairs.box.minimum_image(),
                           &pairs.bins};
  std::vector<std::uint64_t> counts(pairs.bins.count + 1);
  kernels::reference::count_pairs({&block, 1}, 1, counts.data());
  for (std::uint64_t& n : counts) {
    n *= pairs.like && pairs.axis.kind == Kind::cosine ? 2 : 1;
  }
  return counts;
}

std::vector<std::uint64_t> sums_over_second_axis(
    const SecondAxisPairs& pairs, const std::vector<std::uint64_t>& counts) {
  std::vector<std::uint64_t> sums(pairs.bins.count + 1);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    sums[k / pairs.axis.count] += counts[k];
  }
  return sums;
}

TEST_CASE("counts of two axes equal the defining function in any box") {
  Random random(446);
  std::uint64_t in_range = 0;
  std::uint64_t decided = 0;
  std::uint64_t beyond_half_the_box = 0;
  for (int trial = 0; trial < 900; ++trial) {
    SecondAxisProblem problem;
    set_few_particles(random, trial, problem);
    const SecondAxisPairs& pairs = problem.pairs;
    INFO("trial " << trial);
    const Counted found = count(pairs);
    const auto expected = expected_counts(pairs);
    REQUIRE(found.counts == expected);
    REQUIRE(sums_over_second_axis(pairs, by_definition(pairs)) == by_distance(pairs));
    in_range += sum_of(expected);
    decided += found.decided;
    beyond_half_the_box += pairs.bins.r_max > pairs.box.inscribed_radius() ? 1 : 0;
  }
  CHECK(beyond_half_the_box > 200);
  CHECK(in_range > 200'000);
  CHECK(decided < in_range / 20);
}

TEST_CASE("counts of two axes of many particles equal the defining function") {
  // Distant clusters are skipped, and particles are sorted with their vectors.
  Random random(447);
  std::uint64_t in_range = 0;
  std::uint64_t decided = 0;
  for (int trial = 0; trial < 16; ++trial) {
    SecondAxisProblem problem;
    set_many_particles(random, trial, problem);
    INFO("trial " << trial);
    const Counted found = count(problem.pairs);
    const auto expected = expected_counts(problem.pairs);
    REQUIRE(found.counts == expected);
    in_range += sum_of(expected);
    decided += found.decided;
  }
  CHECK(in_range > 1'000'000);
  CHECK(decided < in_range / 100);
}

TEST_CASE("pairs on edges of bins of both axes, and one rounding away from them") {
  Random random(448);
  std::uint64_t decided = 0;
  std::uint64_t in_range = 0;
  for (int trial = 0; trial < 400; ++trial) {
    SecondAxisProblem problem;
    set_pairs_on_edges(random, problem);
    INFO("trial " << trial);
    const Counted found = count(problem.pairs);
    const auto expected = expected_counts(problem.pairs);
    REQUIRE(found.counts == expected);
    decided += found.decided;
    in_range += sum_of(expected);
  }
  CHECK(in_range > 10'000);
  CHECK(decided > in_range / 2);
}

TEST_CASE("counts of two axes equal the defining function on a lattice") {
  // Distances and cosines on edges of bins, images at equal distances, and coinciding
  // particles.
  const double edge = 0.8;
  std::vector<double> lattice;
  for (int k = 0; k < 512; ++k) {
    const double shift = k % 3 == 0 ? 4 * edge : 0.0;  // other images
    lattice.insert(lattice.end(), {k % 8 * 0.1 + shift, k / 8 % 8 * 0.1, k / 64 * 0.1});
  }
  const std::vector<double> some(lattice.begin(), lattice.begin() + 150);
  for (const double skew : {0.0, 0.1}) {
    for (const double r_max : {0.35, 0.7}) {
      for (const Kind kind : {Kind::cosine, Kind::component}) {
        for (const bool like : {true, false}) {
          SecondAxisPairs pairs{
              span(lattice),
              span(like ? lattice : some),
              like,
              Box({Vec3{edge, 0, 0}, Vec3{skew, edge, 0}, Vec3{0, skew, edge}},
                  {true, true, true}),
              make_bins(r_max, 7),
              axis_of(kind, 2, 8)};
          const Counted found = count(pairs);
          CHECK(found.counts == expected_counts(pairs));
          CHECK(sums_over_second_axis(pairs, by_definition(pairs)) ==
                by_distance(pairs));
          CHECK(found.decided > 0);
        }
      }
    }
  }
}

TEST_CASE("bins that single precision cannot resolve are counted by definition") {
  Random random(449);
  const auto positions = scattered_positions(random, 60, 2.0);
  SecondAxisPairs pairs{span(positions), span(positions), true, Box(), {}, {}};
  pairs.bins = make_bins(1.0, 1'000'000);
  pairs.axis = axis_of(Kind::component, 1, 2);
  const Counted found = count(pairs);
  CHECK(found.counts == expected_counts(pairs));
  CHECK(found.decided == 60 * 59 / 2);
}

TEST_CASE("counts of two axes agree with a calculation by hand") {
  // From the first particle: 1 along z, 1 against z, sqrt(2) at 45 degrees, and 0.
  const std::vector<double> one{0, 0, 0};
  const std::vector<double> others{0, 0, 1, 0, 0, -1, 0, 1, 1, 0, 0, 0};
  SecondAxisPairs pairs{span(one), span(others), false, Box(), make_bins(2.0, 2), {}};
  pairs.axis = axis_of(Kind::cosine, 2, 4);  // edges -1, -0.5, 0, 0.5 and 1
  CHECK(count(pairs).counts == std::vector<std::uint64_t>{0, 0, 1, 0, 1, 0, 0, 2, 0});
  pairs.axis = axis_of(Kind::cosine, 1, 4);
  CHECK(count(pairs).counts == std::vector<std::uint64_t>{0, 0, 1, 0, 0, 0, 2, 1, 0});
  pairs.axis = axis_of(Kind::component, 2, 4);  // edges 0, 0.5, 1, 1.5 and 2
  CHECK(count(pairs).counts == std::vector<std::uint64_t>{1, 0, 0, 0, 0, 0, 3, 0, 0});
  // Each pair of particles of one species is counted from both.
  const std::vector<double> two{0, 0, 0, 0, 0, 1};
  SecondAxisPairs like{span(two), span(two), true, Box(), make_bins(2.0, 1), {}};
  like.axis = axis_of(Kind::cosine, 2, 4);
  CHECK(count(like).counts == std::vector<std::uint64_t>{1, 0, 0, 1, 0});
  like.axis = axis_of(Kind::component, 2, 4);
  CHECK(count(like).counts == std::vector<std::uint64_t>{0, 0, 1, 0, 0});
}

}  // namespace
}  // namespace starhist::testing
