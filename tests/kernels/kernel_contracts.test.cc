#include <limits>
#include <string>

#include "tests/support/catch.hh"
#include "tests/support/file_bytes.hh"

#ifdef STARHIST_CONTRACTS
#include "codelets/kernels/bounds.hh"
#include "tests/support/broken_contract.hh"
#include "tests/support/error_text.hh"
#include "tests/support/pair_problem.hh"
#endif

namespace starhist {
namespace {

#ifdef STARHIST_CONTRACTS

constexpr bool contracts = true;

using testing::broken_contract;
using testing::missing;

/// Three particles in a cubic box.
testing::PairProblem three_particles() {
  const Box box({Vec3{2, 0, 0}, Vec3{0, 2, 0}, Vec3{0, 0, 2}}, {true, true, true});
  return {box, make_bins(1.0, 4), {0.1, 0.1, 0.1, 0.4, 0.4, 0.4, 1.9, 1.9, 1.9}, {}};
}

/// Names and output of the kernels whose broken contract does not contain `rule`; with
/// with rule "", the kernels that break any rule.
std::string kernels_without(const char* rule, const testing::PairProblem& problem,
                            const kernels::PairBlock& block, int threads = 1) {
  std::string without;
  for (const testing::NamedKernel& kernel : testing::all_kernels()) {
    const std::string text = broken_contract([&] {
      testing::Counts counts(problem.bins.count + 1ULL);
      kernel.count({&block, 1}, threads, counts.data());
    });
    const bool as_expected =
        *rule == '\0' ? text.empty() : text.find(rule) != std::string::npos;
    if (!as_expected) {
      without += kernel.name + ": '" + text + "' ";
    }
  }
  return without;
}

TEST_CASE("kernels accept only finite positions") {
  testing::PairProblem problem = three_particles();
  CHECK(kernels_without("", problem, problem.block()) == "");
  problem.first[4] = std::numeric_limits<double>::quiet_NaN();
  CHECK(kernels_without("positions must be finite", problem, problem.block()) == "");
}

TEST_CASE("kernels accept only rows of the block") {
  const testing::PairProblem problem = three_particles();
  kernels::PairBlock block = problem.block();
  block.row_end = 4;
  CHECK(kernels_without("[0, first.count)", problem, block) == "");
}

TEST_CASE("kernels accept only bins from distance 0") {
  testing::PairProblem problem = three_particles();
  problem.bins = make_bins(1.0, 4, 2);
  CHECK(kernels_without("bins from distance 0", problem, problem.block()) == "");
}

TEST_CASE("kernels accept only like pairs of one span") {
  const testing::PairProblem problem = three_particles();
  kernels::PairBlock block = problem.block();
  block.second.count = 2;
  CHECK(kernels_without("the same span", problem, block) == "");
}

TEST_CASE("kernels need a thread") {
  const testing::PairProblem problem = three_particles();
  CHECK(kernels_without("at least one thread", problem, problem.block(), 0) == "");
}

TEST_CASE("bounds of positions that a span lacks break a contract") {
  const testing::PairProblem problem = three_particles();
  const kernels::PairBlock block = problem.block();
  CHECK(missing(broken_contract([&] { kernels::Bounds().add(block.first, 2, 4); }),
                {"the span has these positions"}) == "");
}

#else

constexpr bool contracts = false;

#endif

TEST_CASE("kernels contain contracts only if they are switched on") {
  const std::string program = testing::read_bytes("/proc/self/exe");
  // The rule in two parts, because the program contains this test, too.
  const std::string rule = std::string("a block has a lattice") + " with 0 to 6 facets";
  CHECK((program.find(rule) != std::string::npos) == contracts);
}

}  // namespace
}  // namespace starhist
