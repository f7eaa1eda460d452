#include "codelets/kernels/neighbours/count_second_axis.hh"

#include <numeric>

#include "codelets/kernels/reference/count_pairs.hh"
#include "codelets/kernels/reference/count_second_axis.hh"
#include "tests/kernels/random_boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

using kernels::PositionSpan;
using kernels::SecondAxisCount;
using kernels::SecondAxisPairs;
using Kind = SecondAxis::Kind;

SecondAxis axis_of(Kind kind, int axis, std::uint32_t count) {
  return {kind, axis, "", "", count};
}

PositionSpan span(const std::vector<double>& positions) {
  return {positions.data(), positions.size() / 3};
}

std::size_t out_of_range(const SecondAxisPairs& pairs) {
  return std::size_t{pairs.bins.count} * pairs.axis.count;
}

std::vector<std::uint64_t> by_definition(const SecondAxisPairs& pairs) {
  std::vector<std::uint64_t> counts(out_of_range(pairs) + 1);
  kernels::reference::count_second_axis(pairs, counts.data());
  return counts;
}

struct Counted {
  std::vector<std::uint64_t> counts;
  std::uint64_t decided = 0;  ///< pairs that pair_cell() decided
};

/// The entry of pairs out of range, which is not defined, is from by_definition().
Counted count(const SecondAxisPairs& pairs) {
  const SecondAxisCount counter(pairs);
  Counted result{std::vector<std::uint64_t>(out_of_range(pairs) + 1), 0};
  for (std::size_t part = 0; part < counter.parts(); ++part) {
    result.decided += counter.count(part, result.counts.data());
  }
  result.counts.back() = by_definition(pairs).back();
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

std::vector<double> random_positions(Random& random, std::size_t count, double extent) {
  std::vector<double> positions(3 * count);
  for (double& x : positions) {
    x = random.log_uniform(1e-3, extent) * (random.chance(0.5) ? 1.0 : -1.0);
    x = random.chance(0.2) ? std::round(10.0 * x) / 10.0 : x;
  }
  return positions;
}

TEST_CASE("counts of two axes equal the defining function in any box") {
  Random random(446);
  std::uint64_t pairs_in_range = 0;
  std::uint64_t decided = 0;
  std::uint64_t without_cells = 0;
  for (int trial = 0; trial < 600; ++trial) {
    SecondAxisPairs pairs;
    pairs.box = random_box(random, trial % 4);
    const double extent = random.log_uniform(1.0, 40.0);
    const auto first = random_positions(random, 1 + random.below(90), extent);
    const auto second = random_positions(random, 1 + random.below(90), extent);
    pairs.like = random.chance(0.5);
    pairs.first = span(first);
    pairs.second = span(pairs.like ? first : second);
    const double widest = std::min(pairs.box.inscribed_radius(), 4.0);
    pairs.bins = make_bins(random.log_uniform(0.1, 1.1) * widest,
                           1 + random.below(trial % 2 == 0 ? 40 : 400));
    pairs.axis = axis_of(random.chance(0.5) ? Kind::cosine : Kind::component,
                         static_cast<int>(random.below(3)),
                         static_cast<std::uint32_t>(1 + random.below(60)));
    std::vector<Vec3> directions;
    for (std::size_t i = 0; i < pairs.first.count; ++i) {
      const Vec3 v = random.vector(1.0);
      directions.push_back((1.0 / length(v)) * v);
    }
    pairs.directions = random.chance(0.5) ? directions.data() : nullptr;
    const auto expected = by_definition(pairs);
    const Counted found = count(pairs);
    REQUIRE(found.counts == expected);
    REQUIRE(sums_over_second_axis(pairs, expected) == by_distance(pairs));
    if (pairs.bins.r_max < 0.98 * widest) {
      pairs_in_range +=
          std::accumulate(expected.begin(), expected.end() - 1, std::uint64_t{0});
      decided += found.decided;
    } else {
      ++without_cells;
    }
  }
  CHECK(without_cells > 20);
  CHECK(pairs_in_range > 20'000);
  CHECK(decided < pairs_in_range / 4);
}

TEST_CASE("counts of two axes equal the defining function on a lattice") {
  // Distances and cosines on edges of bins, and coinciding particles.
  const double edge = 0.8;
  std::vector<double> lattice;
  for (int k = 0; k < 512; ++k) {
    const double shift = k % 3 == 0 ? 4 * edge : 0.0;  // other images
    lattice.insert(lattice.end(), {k % 8 * 0.1 + shift, k / 8 % 8 * 0.1, k / 64 * 0.1});
  }
  const std::vector<double> some(lattice.begin(), lattice.begin() + 150);
  for (const Kind kind : {Kind::cosine, Kind::component}) {
    for (const bool like : {true, false}) {
      SecondAxisPairs pairs{span(lattice),
                            span(like ? lattice : some),
                            like,
                            Box({Vec3{edge, 0, 0}, Vec3{0, edge, 0}, Vec3{0, 0, edge}},
                                {true, true, true}),
                            make_bins(0.35, 7),
                            axis_of(kind, 2, 8)};
      const Counted found = count(pairs);
      CHECK(found.counts == by_definition(pairs));
      CHECK(sums_over_second_axis(pairs, found.counts) == by_distance(pairs));
      CHECK(found.decided > 0);
    }
  }
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
