// Every variant on the hardest possible problems (hard_problems.hh).
#include "tests/kernels/hard_problems.hh"
#include "tests/support/catch.hh"

namespace starhist {
namespace {

using testing::Counts;
using testing::counts_of;
using testing::difference;
using testing::hard_clusters;
using testing::hard_problem;
using testing::PairProblem;
using testing::Random;

TEST_CASE("tiles next to facets: few images for all pairs, distances next to edges") {
  Random random(62);
  std::uint64_t with_images = 0;
  constexpr std::uint64_t trials = 4000;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    const PairProblem problem = hard_clusters(random);
    const Counts expected = testing::reference_counts(problem);
    kernels::CountedPairs counted;
    for (const auto& kernel : testing::cpu_kernels()) {
      const std::string result =
          difference(counts_of(kernel.count, problem, 1, &counted), expected);
      if (result != "") {
        FAIL_CHECK("trial " << trial << ", " << counted.loop << ": " << result);
      }
    }
    with_images += counted.loop.find("images") == std::string::npos ? 0 : 1;
  }
  CHECK(with_images > trials / 5);
}

TEST_CASE("distances next to bin edges, displacements next to facets") {
  Random random(61);
  std::uint64_t searched = 0;
  std::uint64_t in_double = 0;
  std::uint64_t by_definition = 0;
  constexpr std::uint64_t trials = 6000;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    const PairProblem problem = hard_problem(random);
    const Counts expected = testing::reference_counts(problem);
    kernels::CountedPairs counted;
    for (const auto& kernel : testing::cpu_kernels()) {
      const std::string result =
          difference(counts_of(kernel.count, problem, 1, &counted), expected);
      if (result != "") {
        FAIL_CHECK("trial " << trial << ", " << counted.loop << ": " << result);
      }
    }
    searched += counted.loop.find("searched") == std::string::npos ? 0 : 1;
    in_double += counted.loop.find("in double") == std::string::npos ? 0 : 1;
    by_definition += counted.loop.find("definition") == std::string::npos ? 0 : 1;
  }
  // The fast loops ran, the hardest one often.
  CHECK(searched > trials / 5);
  CHECK(in_double > trials / 20);
  CHECK(by_definition < trials / 3);
}

}  // namespace
}  // namespace starhist
