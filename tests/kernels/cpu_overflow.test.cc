#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/pair_problem.hh"

namespace starhist {
namespace {

TEST_CASE("more than 2^32 pairs in one bin", "[slow]") {
  // All distances are between 0 and 0.5, in a box of 1: one bin up to r_max = 0.9.
  testing::Random random(71);
  testing::PairProblem problem{
      testing::cubic_box(1.0), make_bins(0.9, 1), {}, {}, true};
  for (int i = 0; i < 93'000; ++i) {
    testing::append(problem.first, random.vector(0.14));
  }
  const std::uint64_t pairs = problem.block().pair_count();
  REQUIRE(pairs > 1ULL << 32U);
  const auto kernel = testing::kernel_of(kernels::cpu::selected_variant());
  CHECK(testing::counts_of(kernel, problem, 2) == testing::Counts{pairs, 0});
}

}  // namespace
}  // namespace starhist
