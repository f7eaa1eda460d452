// Any valid input, for any length of time: counts equal the naive loop.
//
//   STARHIST_PROPERTY_SECONDS=600 build-asan/test_kernels "any lattice*"
//
// A failure names the seed of its problem; STARHIST_PROPERTY_SEED=<seed> starts there.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>

#include "tests/kernels/random_problems.hh"
#include "tests/support/catch.hh"

namespace starhist {
namespace {

using testing::Counts;
using testing::counts_of;
using testing::Random;
using testing::RandomProblem;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::stoull(text);
}

/// Counts it with every variant; adds the loops that ran.
std::uint64_t check(std::uint64_t seed, std::map<std::string, std::uint64_t>& loops) {
  Random random(seed);
  const RandomProblem problem = testing::any_problem(random);
  const std::vector<kernels::PairBlock> blocks = problem.blocks();
  const Counts expected = counts_of(kernels::reference::count_pairs, blocks);
  for (const auto& kernel : testing::cpu_kernels()) {
    const int threads = random.chance(0.8) ? 1 : 2 + static_cast<int>(random.below(2));
    std::string wrong;
    kernels::CountedPairs counted;
    try {
      wrong = testing::difference(counts_of(kernel.count, blocks, threads, &counted),
                                  expected);
    } catch (const std::logic_error& error) {
      wrong = error.what();
    }
    if (!wrong.empty()) {
      FAIL_CHECK("STARHIST_PROPERTY_SEED=" << seed << ": " << kernel.name << ", "
                                           << threads << " threads: " << wrong << "\n"
                                           << problem.text);
    }
    if (pair_count(blocks) > 0) {
      ++loops[counted.loop];  // empty if all pairs are out of range
    }
  }
  return pair_count(blocks);
}

TEST_CASE("any lattice, arrangement, number of bins and cut: the naive counts") {
  using Clock = std::chrono::steady_clock;
  const std::uint64_t seconds = number_from("STARHIST_PROPERTY_SECONDS", 2);
  const auto end = Clock::now() + std::chrono::seconds(seconds);
  std::uint64_t seed = number_from("STARHIST_PROPERTY_SEED", 1);
  std::uint64_t problems = 0;
  std::uint64_t pairs = 0;
  std::map<std::string, std::uint64_t> loops;
  do {
    pairs += check(seed++, loops);
    ++problems;
  } while (Clock::now() < end);
  CHECK(pairs > 0);
  if (seconds > 10) {
    std::cout << problems << " problems, " << pairs << " pairs, seeds up to "
              << seed - 1 << "; last loop of each:\n";
    for (const auto& [name, count] : loops) {
      std::cout << "  " << name << ": " << count << '\n';
    }
  }
}

}  // namespace
}  // namespace starhist
