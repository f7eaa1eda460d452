// Every variant supported by this processor, in every box, against the reference
// kernel: equal counts, from the expected loop.
#include "codelets/kernels/cpu/cpu_tuning.hh"
#include "tests/kernels/kernel_cases.hh"
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

constexpr std::uint32_t too_many_bins = 3'000'000;  // for float32

void check_loop(const std::string& loop, const KernelCase& c, std::uint32_t bin_count,
                const std::string& variant) {
  if (bin_count >= too_many_bins) {
    CHECK(loop == variant + " " + c.metric + " in double");
  } else if (bin_count <= c.fast_bins) {
    CHECK(loop == variant + " " + c.metric);
  }
}

void check_every_variant(const KernelCase& c, const PairProblem& problem) {
  const std::uint32_t bin_count = problem.bins.count;
  const Counts expected = testing::reference_counts(problem);
  for (const auto& kernel : testing::cpu_kernels()) {
    INFO(c.name << (problem.like ? ", like, " : ", unlike, ") << bin_count << " bins, "
                << problem.first.size() / 3 << " x " << problem.second.size() / 3
                << " particles, " << kernel.name);
    kernels::CountedPairs counted;
    CHECK(difference(counts_of(kernel.count, problem, 1, &counted), expected) == "");
    if (problem.block().pair_count() > 0) {
      check_loop(counted.loop, c, bin_count, kernel.name);
    }
  }
}

TEST_CASE("every box and number of bins, particles around the lengths of vectors") {
  Random random(31);
  for (const KernelCase& c : testing::kernel_cases()) {
    for (const std::size_t count : {0, 1, 2, 31, 32, 33, 65}) {
      for (const std::uint32_t bin_count : {1U, 100U, 4096U, 50'000U}) {
        for (const bool like : {true, false}) {
          check_every_variant(c, testing::random_problem(random, c.box, c.r_max,
                                                         bin_count, count, like));
        }
      }
    }
  }
}

TEST_CASE("every box, enough particles that many pairs are ambiguous") {
  Random random(32);
  for (const KernelCase& c : testing::kernel_cases()) {
    for (const std::uint32_t bin_count : {100U, 4096U, 50'000U, 300'000U}) {
      check_every_variant(
          c, testing::random_problem(random, c.box, c.r_max, bin_count, 257, true));
    }
  }
}

TEST_CASE("every box, more particles than a tile holds") {
  Random random(33);
  for (const KernelCase& c : testing::kernel_cases()) {
    check_every_variant(
        c, testing::random_problem(random, c.box, c.r_max, 4096, 1100, true));
    PairProblem problem =
        testing::random_problem(random, c.box, c.r_max, 1000, 40, false);
    problem.second = testing::random_positions(random, c.box, 1100);
    check_every_variant(c, problem);
    std::swap(problem.first, problem.second);
    check_every_variant(c, problem);
  }
}

TEST_CASE("particles that just fill a tile, and one or two more") {
  Random random(37);
  const KernelCase c{"cubic", testing::cubic_box(1.0), 0.8, "isotropic", 300'000};
  for (const std::size_t cluster :
       {kernels::cpu::rows_per_cluster, kernels::cpu::columns_per_tile}) {
    for (const std::size_t more : {0U, 1U, 2U}) {
      const std::size_t count = cluster + more;
      PairProblem problem =
          testing::random_problem(random, c.box, c.r_max, 100, count, true);
      check_every_variant(c, problem);
      problem.like = false;
      problem.second = testing::random_positions(random, c.box, 3);
      check_every_variant(c, problem);
    }
  }
}

TEST_CASE("many particles") {
  Random random(34);
  for (const KernelCase& c : testing::kernel_cases()) {
    if (c.name == "cubic") {
      check_every_variant(
          c, testing::random_problem(random, c.box, c.r_max, 10'000, 5000, true));
    } else if (c.name == "truncated octahedron, far") {
      check_every_variant(
          c, testing::random_problem(random, c.box, c.r_max, 10'000, 2500, false));
    }
  }
}

TEST_CASE("more bins than float32 can resolve") {
  Random random(35);
  for (const KernelCase& c : testing::kernel_cases()) {
    if (c.name == "cubic" || c.name == "hexagonal, far") {
      for (const bool like : {true, false}) {
        check_every_variant(c, testing::random_problem(random, c.box, c.r_max,
                                                       too_many_bins, 100, like));
      }
    }
  }
}

TEST_CASE("r_max far below and far beyond the box") {
  Random random(36);
  for (const KernelCase& c : testing::kernel_cases()) {
    for (const double factor : {1e-6, 0.01, 0.3, 3.0, 1e6}) {
      for (const std::uint32_t bin_count : {1U, 1000U}) {
        PairProblem problem = testing::random_problem(random, c.box, factor * c.r_max,
                                                      bin_count, 70, true);
        // Some particles must be within the small r_max.
        std::copy_n(problem.first.begin(), 30, problem.first.end() - 30);
        problem.first.back() += 0.5 * factor * c.r_max;
        KernelCase any_metric = c;
        any_metric.fast_bins = 0;
        check_every_variant(any_metric, problem);
      }
    }
  }
}

}  // namespace
}  // namespace starhist
