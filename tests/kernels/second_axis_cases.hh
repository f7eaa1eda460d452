#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "codelets/kernels/second_axis_pairs.hh"
#include "tests/kernels/random_boxes.hh"
#include "tests/support/random.hh"

namespace starhist::testing {

inline SecondAxis axis_of(SecondAxis::Kind kind, int axis, std::uint32_t count) {
  return {kind, axis, "", "", count, 0.0};
}

inline kernels::PositionSpan span(const std::vector<double>& positions) {
  return {positions.data(), positions.size() / 3};
}

inline std::size_t out_of_range(const kernels::SecondAxisPairs& pairs) {
  return pairs.cells();
}

/// Counts with the defining function for every pair. The last entry is the number of
/// pairs out of range.
inline std::vector<std::uint64_t> by_definition(const kernels::SecondAxisPairs& pairs) {
  std::vector<std::uint64_t> counts(out_of_range(pairs) + 1);
  for (std::size_t i = 0; i < pairs.first.count; ++i) {
    for (std::size_t j = pairs.like ? i + 1 : 0; j < pairs.second.count; ++j) {
      ++counts[pairs.cell(i, j)];
      if (pairs.axis.orders(pairs.like) == 2) {
        ++counts[pairs.cell(j, i)];
      }
    }
  }
  return counts;
}

/// by_definition() without the entry of pairs out of range.
inline std::vector<std::uint64_t> expected_counts(
    const kernels::SecondAxisPairs& pairs) {
  std::vector<std::uint64_t> counts = by_definition(pairs);
  counts.back() = 0;
  return counts;
}

/// Number of counted pairs of a histogram.
inline std::uint64_t sum_of(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

/// Decimal and other coordinates of a wide range of sizes.
inline std::vector<double> scattered_positions(Random& random, std::size_t count,
                                               double extent) {
  std::vector<double> positions(3 * count);
  for (double& x : positions) {
    x = random.log_uniform(1e-3, extent) * (random.chance(0.5) ? 1.0 : -1.0);
    x = random.chance(0.2) ? std::round(10.0 * x) / 10.0 : x;
  }
  return positions;
}

/// A second axis of any kind, with unit vectors for half of the cosines.
inline SecondAxis random_axis(Random& random, std::size_t particles,
                              std::vector<Vec3>& directions) {
  directions.clear();
  const SecondAxis axis = axis_of(
      random.chance(0.6) ? SecondAxis::Kind::cosine : SecondAxis::Kind::component,
      static_cast<int>(random.below(3)),
      static_cast<std::uint32_t>(1 + random.below(60)));
  if (axis.kind == SecondAxis::Kind::cosine && random.chance(0.5)) {
    for (std::size_t i = 0; i < particles; ++i) {
      const Vec3 v = random.vector(1.0);
      directions.push_back((1.0 / length(v)) * v);
    }
  }
  return axis;
}

/// Bins up to r_max: mostly of equal width, some between explicit edges.
inline UniformBins random_bins(Random& random, double r_max) {
  if (random.chance(0.8)) {
    return make_bins(r_max, 1 + random.below(random.chance(0.5) ? 40 : 400));
  }
  const double least = (random.chance(0.5) ? 0.01 : 0.2) * r_max;
  return make_bins_between(logarithmic_edges(least, r_max, 1 + random.below(70)))
      .from_zero();
}

/// Pairs of two species with the arrays to which they point.
struct SecondAxisProblem {
  std::vector<double> first;
  std::vector<double> second;
  std::vector<Vec3> directions;
  kernels::SecondAxisPairs pairs;

  SecondAxisProblem() = default;
  SecondAxisProblem(const SecondAxisProblem&) = delete;
  SecondAxisProblem& operator=(const SecondAxisProblem&) = delete;

  /// Sets the pointers of `pairs`.
  void point() {
    pairs.first = span(first);
    pairs.second = span(pairs.like ? first : second);
    pairs.directions = directions.empty() ? nullptr : directions.data();
  }
};

/// Some particles in any box, with bins of any kind.
inline void set_few_particles(Random& random, int trial, SecondAxisProblem& problem) {
  kernels::SecondAxisPairs& pairs = problem.pairs;
  pairs.box = random_box(random, trial % 4);
  const double extent = random.log_uniform(1.0, 40.0);
  problem.first = scattered_positions(random, 1 + random.below(90), extent);
  problem.second = scattered_positions(random, 1 + random.below(90), extent);
  pairs.like = random.chance(0.5);
  const double widest = std::min(pairs.box.inscribed_radius(), 4.0);
  pairs.bins = random_bins(random, random.log_uniform(0.1, 4.0) * widest);
  pairs.axis = random_axis(random, problem.first.size() / 3, problem.directions);
  problem.point();
}

/// A frame in which distant clusters of particles are skipped.
inline void set_many_particles(Random& random, int trial, SecondAxisProblem& problem) {
  kernels::SecondAxisPairs& pairs = problem.pairs;
  const Vec3 skew{trial % 4 > 1 ? 3.0 : 0.0, 0.0, 0.0};
  const bool open = trial % 4 == 3;
  pairs.box = Box({Vec3{9, 0, 0}, Vec3{0, 10, 0} + skew, Vec3{0, 0, 11} - skew},
                  {true, true, !open});
  problem.first = random_positions(random, pairs.box, 1900);
  problem.second = random_positions(random, pairs.box, 1700);
  pairs.like = trial % 2 == 0;
  pairs.bins = random_bins(random, random.uniform(0.8, 6.5));
  pairs.axis = random_axis(random, problem.first.size() / 3, problem.directions);
  problem.point();
}

/// x, or a double next to it.
inline double nudged(Random& random, double x) {
  const double to = random.chance(0.5) ? 1e9 : -1e9;
  return random.chance(0.4) ? x : std::nextafter(x, to);
}

/// Pairs at distances and positions on edges of bins, and one rounding away from them.
inline void set_pairs_on_edges(Random& random, SecondAxisProblem& problem) {
  kernels::SecondAxisPairs& pairs = problem.pairs;
  const bool periodic = random.chance(0.7);
  const bool skewed = random.chance(0.4);
  const Vec3 edges[3] = {
      {4, 0, 0}, {skewed ? 1.5 : 0, 4, 0}, {0, skewed ? -1.0 : 0, 4}};
  pairs.box = Box({edges[0], edges[1], edges[2]}, {periodic, periodic, periodic});
  const std::uint32_t rows = random.chance(0.5) ? 8 : 50;
  const std::uint32_t columns = random.chance(0.5) ? 8 : 20;
  pairs.bins = make_bins(random.chance(0.5) ? 1.8 : 3.0, rows);
  pairs.axis = axis_of(
      random.chance(0.5) ? SecondAxis::Kind::cosine : SecondAxis::Kind::component, 2,
      columns);
  const Vec3 origin = random.chance(0.5) ? Vec3{} : random.vector(30.0);
  problem.first = {origin.x, origin.y, origin.z};
  problem.second.clear();
  for (int k = 0; k < 60; ++k) {
    const double r = nudged(
        random, pairs.bins.edge(static_cast<std::uint32_t>(random.below(rows + 1))));
    const double edge = pairs.axis.edge(
        static_cast<std::uint32_t>(random.below(columns + 1)), pairs.bins.r_max);
    const double z = pairs.axis.kind == SecondAxis::Kind::cosine
                         ? r * nudged(random, edge)
                         : nudged(random, edge);
    const double across = std::sqrt(std::max(0.0, r * r - z * z));
    const double angle = random.uniform(0.0, 6.3);
    Vec3 d{across * std::cos(angle), across * std::sin(angle), z};
    if (random.chance(0.2)) {  // next to the border between two images
      d = d + 0.5 * edges[random.below(3)];
    }
    if (periodic && random.chance(0.5)) {
      d = d + std::round(random.uniform(-3.0, 3.0)) * edges[random.below(3)];
    }
    append(problem.second, origin + d);
  }
  problem.point();
}

}  // namespace starhist::testing
