#include <cmath>

#include "codelets/kernels/reference/reference_count_pairs.hh"
#include "tests/kernels/kernel_cases.hh"
#include "tests/support/brute_force.hh"
#include "tests/support/catch.hh"
#include "tests/support/pair_problem.hh"

namespace starhist {
namespace {

using testing::brute_force_counts;
using testing::BruteForceCounts;
using testing::Counts;
using testing::difference;
using testing::PairProblem;
using testing::Random;
using testing::reference_counts;

TEST_CASE("the reference equals the brute force search") {
  Random random(21);
  for (const auto& c : testing::kernel_cases()) {
    const std::size_t count = c.name.find("needle") == std::string::npos ? 50 : 15;
    for (const bool like : {true, false}) {
      for (const std::uint32_t bin_count : {1U, 100U, 4096U}) {
        INFO(c.name << (like ? ", like, " : ", unlike, ") << bin_count << " bins");
        const PairProblem problem =
            testing::random_problem(random, c.box, c.r_max, bin_count, count, like);
        const BruteForceCounts expected = brute_force_counts(
            c.box, c.r_max, bin_count, problem.first, problem.second);
        REQUIRE(expected.near_edge == 0);
        CHECK(difference(reference_counts(problem), expected.counts) == "");
      }
    }
  }
}

TEST_CASE("the reference equals the brute force search for unwrapped positions") {
  Random random(22);
  for (const auto& c : testing::kernel_cases()) {
    if (c.name.find("needle") != std::string::npos) {
      continue;
    }
    INFO(c.name);
    PairProblem problem = testing::random_problem(random, c.box, c.r_max, 50, 60, true);
    testing::unwrap(random, c.box, 1000, problem.first);
    const BruteForceCounts expected =
        brute_force_counts(c.box, c.r_max, 50, problem.first, {});
    REQUIRE(expected.near_edge == 0);
    CHECK(difference(reference_counts(problem), expected.counts) == "");
  }
}

}  // namespace
}  // namespace starhist
