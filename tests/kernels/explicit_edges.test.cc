// Bins between explicit edges: every kernel in every box against the reference, the
// reference against an independent loop, and pairs on and next to edges by hand.
#include <cmath>

#include "tests/kernels/kernel_cases.hh"
#include "tests/support/brute_force.hh"
#include "tests/support/catch.hh"
#include "tests/support/pair_problem.hh"

namespace starhist {
namespace {

using testing::Counts;
using testing::counts_of;
using testing::difference;
using testing::KernelCase;
using testing::PairProblem;
using testing::Random;

/// Edges of several kinds up to r_max.
std::vector<std::vector<double>> edges_up_to(double r_max) {
  std::vector<double> linear;
  std::vector<double> many;
  for (int k = 0; k <= 64; ++k) {
    linear.push_back(k * r_max / 64);
  }
  for (int k = 0; k <= 300; ++k) {
    many.push_back(std::sqrt(k / 300.0) * r_max);
  }
  return {logarithmic_edges(1e-3 * r_max, r_max, 30),
          logarithmic_edges(0.5 * r_max, r_max, 5),
          {0.0, r_max},
          {0.9 * r_max, r_max},
          {0.0, 1e-6 * r_max, 0.3 * r_max, 0.3001 * r_max, r_max},
          linear,
          many};
}

PairProblem problem_between(Random& random, const KernelCase& c,
                            const std::vector<double>& edges, std::size_t count,
                            bool like) {
  PairProblem problem = testing::random_problem(random, c.box, c.r_max, 1, count, like);
  problem.bins = make_bins_between(edges).from_zero();
  return problem;
}

/// Counts by comparisons of distances with edges.
Counts naive_counts(const PairProblem& problem) {
  const std::vector<double> edges = bin_edges(problem.bins);
  const testing::BruteForce images(problem.box);
  const kernels::PairBlock block = problem.block();
  Counts counts(edges.size());
  for (std::size_t i = 0; i < block.first.count; ++i) {
    for (std::size_t j = block.like ? i + 1 : 0; j < block.second.count; ++j) {
      const double r = images.distance(block.first[i], block.second[j]);
      std::size_t bin = 0;
      while (bin + 1 < edges.size() && r >= edges[bin + 1]) {
        ++bin;
      }
      ++counts[bin];
    }
  }
  return counts;
}

TEST_CASE("explicit edges: the reference counts as a naive loop") {
  Random random(411);
  for (const KernelCase& c : testing::kernel_cases()) {
    for (const auto& edges : edges_up_to(c.r_max)) {
      INFO(c.name << ", " << edges.size() << " edges from " << edges.front());
      for (const bool like : {true, false}) {
        const PairProblem problem = problem_between(random, c, edges, 40, like);
        CHECK(difference(testing::reference_counts(problem), naive_counts(problem)) ==
              "");
      }
    }
  }
}

TEST_CASE("explicit edges: every variant in every box, sorted in space or not") {
  Random random(412);
  for (const KernelCase& c : testing::kernel_cases()) {
    for (const auto& edges : edges_up_to(c.r_max)) {
      for (const std::size_t count : {2U, 65U, 700U}) {
        for (const bool clustered : {false, true}) {
          PairProblem problem = problem_between(random, c, edges, count, count != 65U);
          if (clustered) {
            problem.cluster();
          }
          const Counts expected = testing::reference_counts(problem);
          for (const auto& kernel : testing::cpu_kernels()) {
            INFO(c.name << ", " << edges.size() << " edges from " << edges.front()
                        << ", " << count << " particles, "
                        << (clustered ? "sorted, " : "") << kernel.name);
            CHECK(difference(counts_of(kernel.count, problem, 2), expected) == "");
          }
        }
      }
    }
  }
}

TEST_CASE("explicit edges: most clusters out of range, blocks of some rows") {
  Random random(413);
  for (const KernelCase& c : testing::kernel_cases()) {
    const double r_max = 0.2 * c.r_max;
    for (const bool like : {true, false}) {
      PairProblem problem = problem_between(
          random, c, logarithmic_edges(0.05 * r_max, r_max, 30), 1201, like);
      problem.cluster();
      std::vector<kernels::PairBlock> blocks(3, problem.block());
      blocks[0].row_end = blocks[1].row_begin = 37;
      blocks[1].row_end = blocks[2].row_begin = 750;
      const Counts expected = testing::reference_counts(problem);
      for (const auto& kernel : testing::cpu_kernels()) {
        INFO(c.name << ", " << (like ? "like" : "unlike") << ", " << kernel.name);
        kernels::CountedPairs counted;
        CHECK(difference(counts_of(kernel.count, blocks, 2, &counted), expected) == "");
        CHECK(counted.skipped > 0);
        CHECK(counted.skipped <= expected.back());
      }
    }
  }
}

/// Particles on the x axis: the first at 0, the others at `distances`.
PairProblem on_a_line(const Box& box, const std::vector<double>& edges,
                      const std::vector<double>& distances) {
  PairProblem problem{box, make_bins_between(edges).from_zero(), {0, 0, 0}, {}, false};
  for (const double r : distances) {
    problem.second.insert(problem.second.end(), {r, 0.0, 0.0});
  }
  return problem;
}

TEST_CASE("explicit edges: a pair on an edge is in the bin that starts there") {
  const std::vector<double> edges{0.0, 0.1, 0.3, 0.7};
  const double shift = 0x1p-40 * 0.7;
  for (const Box& box : {Box{}, testing::cubic_box(3.0)}) {
    for (const auto& kernel : testing::all_kernels()) {
      INFO(kernel.name);
      const auto counts = [&](double r) {
        return counts_of(kernel.count, on_a_line(box, edges, {r}));
      };
      CHECK(counts(0.0) == Counts{1, 0, 0, 0});
      CHECK(counts(0.1) == Counts{0, 1, 0, 0});
      CHECK(counts(0.3) == Counts{0, 0, 1, 0});
      CHECK(counts(0.7) == Counts{0, 0, 0, 1});
      CHECK(counts(0.1 - 0.5 * shift) == Counts{0, 1, 0, 0});
      CHECK(counts(0.1 - 1.5 * shift) == Counts{1, 0, 0, 0});
      CHECK(counts(0.7 - 1.5 * shift) == Counts{0, 0, 1, 0});
      CHECK(counts(std::nextafter(0.3, 0.0)) == Counts{0, 0, 1, 0});
    }
  }
}

TEST_CASE("explicit edges: many pairs at every edge and next to it") {
  const std::vector<double> edges = logarithmic_edges(0.01, 1.2, 40);
  std::vector<double> distances;
  for (const double edge : edges) {
    for (int step = -60; step <= 60; ++step) {
      distances.push_back(edge + step * 0x1p-42);
      distances.push_back(edge * (1.0 + step * 1e-8));
    }
  }
  for (const Box& box : {Box{}, testing::cubic_box(3.0)}) {
    PairProblem problem = on_a_line(box, edges, distances);
    const Counts expected = testing::reference_counts(problem);
    for (const bool clustered : {false, true}) {
      if (clustered) {
        problem.cluster();
      }
      for (const auto& kernel : testing::cpu_kernels()) {
        INFO(kernel.name << (clustered ? ", sorted" : ""));
        CHECK(difference(counts_of(kernel.count, problem), expected) == "");
      }
    }
  }
}

TEST_CASE("explicit edges of equal width: counts of a decimal lattice as in bins") {
  PairProblem problem{testing::cubic_box(2.0), make_bins(0.9, 9), {}, {}, true};
  for (int i = 0; i < 1000; ++i) {
    const int cell[] = {i % 10, i / 10 % 10, i / 100};
    for (const int k : cell) {
      problem.first.push_back(k / 5.0);
    }
  }
  const Counts expected = testing::reference_counts(problem);
  problem.bins = make_bins_between({0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9});
  for (const bool clustered : {false, true}) {
    if (clustered) {
      problem.cluster();
    }
    for (const auto& kernel : testing::all_kernels()) {
      INFO(kernel.name << (clustered ? ", sorted" : ""));
      CHECK(difference(counts_of(kernel.count, problem), expected) == "");
    }
  }
}

}  // namespace
}  // namespace starhist
