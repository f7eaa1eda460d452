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
  std::uint64_t decided = 0;  ///< pairs that cell() decided
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
    sums[k / pairs.axis.columns()] += counts[k];
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

/// Pairs in a plane with the heights of their particles.
struct HeightProblem : SecondAxisProblem {
  std::vector<double> first_heights;
  std::vector<double> second_heights;

  /// `decimal`: coordinates with one digit, so that many values are edges of bins.
  HeightProblem(Random& random, std::size_t most, bool decimal, double reach) {
    const Vec3 skew{random.chance(0.5) ? 1.5 : 0.0, 0.0, 0.0};
    pairs.box = Box::in_plane({Vec3{4, 0, 0}, Vec3{0, 5, 0} + skew, {}}, Plane::xy);
    const auto fill = [&](std::vector<double>& positions,
                          std::vector<double>& heights) {
      const std::size_t count = 1 + random.below(most);
      for (std::size_t i = 0; i < count; ++i) {
        Vec3 p{random.uniform(-9.0, 9.0), random.uniform(-9.0, 9.0),
               random.uniform(-20.0, 20.0)};
        if (decimal) {
          p = 0.1 *
              Vec3{std::round(10 * p.x), std::round(10 * p.y), std::round(10 * p.z)};
        }
        append(positions, {p.x, p.y, 0.0});
        heights.push_back(p.z);
      }
    };
    fill(first, first_heights);
    fill(second, second_heights);
    pairs.like = random.chance(0.5);
    pairs.bins = random_bins(random, reach);
    pairs.axis =
        axis_of(Kind::component, 2, static_cast<std::uint32_t>(1 + random.below(40)));
    pairs.heights.period = random.chance(0.6) ? 6.0 : 0.0;
    const bool half = pairs.heights.period > 0.0 && random.chance(0.5);
    pairs.axis.limit = half ? 3.0 : random.chance(0.5) ? 1.2 : 7.5;
    point();
    pairs.heights.first = first_heights.data();
    pairs.heights.second = (pairs.like ? first_heights : second_heights).data();
  }
};

/// Counts of separations by a double loop: the distance by the defining function of
/// bins, the separation as the nearest of many images.
std::vector<std::uint64_t> looped_counts(const SecondAxisPairs& pairs) {
  std::vector<std::uint64_t> counts(pairs.cells() + 1);
  const double period = pairs.heights.period;
  for (std::size_t i = 0; i < pairs.first.count; ++i) {
    for (std::size_t j = pairs.like ? i + 1 : 0; j < pairs.second.count; ++j) {
      const std::uint32_t row = pair_bin(pairs.box.minimum_image(), pairs.bins,
                                         pairs.first[i], pairs.second[j]);
      if (row == pairs.bins.count) {
        continue;
      }
      const double direct = pairs.heights.first[i] - pairs.heights.second[j];
      double separation = std::abs(direct);
      for (int n = -9; n <= 9; ++n) {
        separation = std::min(separation, std::abs(direct + n * period));
      }
      // Decimal coordinates that are on an edge, up to rounding, are beyond it.
      double column = 0.0;
      while (column < pairs.axis.count &&
             separation >
                 pairs.axis.limit * (column + 1.0) / pairs.axis.count - 1e-11) {
        ++column;
      }
      if (column == pairs.axis.count && separation < pairs.axis.limit + 1e-11) {
        --column;  // the last bin includes its upper edge
      }
      ++counts[row * pairs.axis.columns() + static_cast<std::size_t>(column)];
    }
  }
  return counts;
}

TEST_CASE("separations along the normal of a plane equal a double loop") {
  Random random(450);
  std::uint64_t in_range = 0;
  std::uint64_t beyond = 0;
  std::uint64_t decided = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const bool many = trial % 30 == 0;  // distant clusters are skipped
    const bool decimal = trial % 3 == 0;
    const HeightProblem problem(random, many ? 1500 : 90, decimal,
                                many ? 0.4 : random.uniform(0.2, 3.5));
    const SecondAxisPairs& pairs = problem.pairs;
    INFO("trial " << trial);
    const Counted found = count(pairs);
    const auto expected = looped_counts(pairs);
    REQUIRE(found.counts == expected);
    REQUIRE(found.counts == expected_counts(pairs));
    REQUIRE(sums_over_second_axis(pairs, by_definition(pairs)) == by_distance(pairs));
    in_range += sum_of(expected);
    decided += decimal ? 0 : found.decided;
    for (std::size_t k = pairs.axis.count; k < pairs.cells();
         k += pairs.axis.columns()) {
      beyond += expected[k];
    }
  }
  CHECK(in_range > 300'000);
  CHECK(beyond > 50'000);
  CHECK(decided < in_range / 20);
}

TEST_CASE("separations without periodicity in the plane equal a double loop") {
  Random random(451);
  for (int trial = 0; trial < 30; ++trial) {
    HeightProblem problem(random, 60, trial % 2 == 0, 3.0);
    problem.pairs.box = Box();
    const Counted found = count(problem.pairs);
    REQUIRE(found.counts == looped_counts(problem.pairs));
    REQUIRE(found.decided > 0);
  }
}

}  // namespace
}  // namespace starhist::testing
