// Ways of calling the CPU kernel that must not affect the counts.
#include "tests/kernels/kernel_cases.hh"
#include "tests/support/catch.hh"
#include "tests/support/pair_problem.hh"

namespace starhist {
namespace {

using testing::Counts;
using testing::counts_of;
using testing::difference;
using testing::PairProblem;
using testing::Random;

TEST_CASE("rows in any ranges add up to the whole") {
  Random random(41);
  for (const auto& c : testing::kernel_cases()) {
    for (const bool like : {true, false}) {
      PairProblem problem =
          testing::random_problem(random, c.box, c.r_max, 500, 150, like);
      const Counts expected = testing::reference_counts(problem);
      for (const auto& kernel : testing::all_kernels()) {
        for (int split = 0; split < 3; ++split) {
          std::vector<kernels::PairBlock> parts;
          for (std::size_t row = 0; row < 150;) {
            kernels::PairBlock part = problem.block();
            part.row_begin = row;
            row = std::min<std::size_t>(150, row + random.below(60));
            part.row_end = row;
            parts.push_back(part);
          }
          INFO(c.name << ", " << kernel.name << ", " << parts.size() << " parts");
          CHECK(difference(counts_of(kernel.count, parts), expected) == "");
          Counts per_particle(expected.size());
          for (const kernels::PairBlock& part : parts) {
            const Counts counts = counts_of(kernel.count, {&part, 1});
            for (std::size_t k = 0; k < counts.size(); ++k) {
              per_particle[k] += counts[k];
            }
          }
          CHECK(difference(per_particle, expected) == "");
        }
      }
    }
  }
}

TEST_CASE("blocks of different boxes, sizes and kinds in one call, on any threads") {
  Random random(42);
  std::vector<PairProblem> problems;
  for (const auto& c : testing::kernel_cases()) {
    for (const std::size_t count : {0, 1, 90}) {
      problems.push_back(
          testing::random_problem(random, c.box, 0.6, 2000, count, random.chance(0.5)));
    }
  }
  problems.push_back(testing::random_problem(random, testing::rhombic_dodecahedron(),
                                             0.6, 2000, 2100, true));
  std::vector<kernels::PairBlock> blocks;
  for (const PairProblem& problem : problems) {
    blocks.push_back(problem.block());
  }
  const Counts expected = counts_of(kernels::reference::count_pairs, blocks);
  for (const auto& kernel : testing::cpu_kernels()) {
    for (const int threads : {1, 2, 3, 5}) {
      INFO(kernel.name << ", " << threads << " threads");
      CHECK(difference(counts_of(kernel.count, blocks, threads), expected) == "");
    }
  }
}

TEST_CASE("no blocks, empty blocks and blocks without rows") {
  const PairProblem empty{Box(), make_bins(1.0, 10), {}, {}, true};
  const PairProblem lonely{Box(), make_bins(1.0, 10), {1.0, 2.0, 3.0}, {}, true};
  const PairProblem unlike{Box(), make_bins(1.0, 10), {}, {1.0, 2.0, 3.0}, false};
  kernels::PairBlock no_rows = unlike.block();
  no_rows.first = no_rows.second;
  const std::vector<kernels::PairBlock> blocks{empty.block(), lonely.block(),
                                               unlike.block(), no_rows};
  for (const auto& kernel : testing::all_kernels()) {
    INFO(kernel.name);
    CHECK(counts_of(kernel.count, blocks) == Counts(11));
    CHECK(kernel.count({}, 1, nullptr).pairs == 0);
  }
}

TEST_CASE("a call has no effect on a later one with other bins") {
  Random random(43);
  const Box box = testing::truncated_octahedron();
  for (const std::uint32_t bin_count : {10U, 100'000U, 9U, 10U, 10'000U}) {
    const PairProblem problem =
        testing::random_problem(random, box, 0.5, bin_count, 200, true);
    const Counts expected = testing::reference_counts(problem);
    for (const auto& kernel : testing::cpu_kernels()) {
      INFO(kernel.name << ", " << bin_count << " bins");
      CHECK(difference(counts_of(kernel.count, problem), expected) == "");
    }
  }
}

TEST_CASE("swapped species, renumbered particles and doubled lengths change nothing") {
  Random random(44);
  for (const auto& c : testing::kernel_cases()) {
    const PairProblem problem =
        testing::random_problem(random, c.box, c.r_max, 3000, 120, false);
    const Counts expected = testing::reference_counts(problem);
    PairProblem changed = problem;
    std::swap(changed.first, changed.second);
    const auto size = static_cast<std::ptrdiff_t>(changed.second.size());
    std::rotate(changed.second.begin(), changed.second.begin() + size / 3 / 2 * 3,
                changed.second.end());
    for (const auto& kernel : testing::all_kernels()) {
      INFO(c.name << ", " << kernel.name);
      CHECK(difference(counts_of(kernel.count, changed), expected) == "");
    }
    const auto& [a, b, d] = c.box.edges();
    changed.box = Box({2.0 * a, 2.0 * b, 2.0 * d}, c.box.periodic());
    changed.bins = make_bins(2.0 * c.r_max, 3000);
    for (double& x : changed.first) {
      x *= 2.0;
    }
    for (double& x : changed.second) {
      x *= 2.0;
    }
    for (const auto& kernel : testing::all_kernels()) {
      INFO(c.name << ", doubled, " << kernel.name);
      CHECK(difference(counts_of(kernel.count, changed), expected) == "");
    }
  }
}

TEST_CASE("rows counted in calls with one number of frames add up to the whole") {
  Random random(46);
  std::uint64_t number = 0;
  for (const auto& c : testing::kernel_cases()) {
    PairProblem problem =
        testing::random_problem(random, c.box, 0.5 * c.r_max, 500, 700, true);
    problem.cluster();
    for (const bool explicit_edges : {false, true}) {
      if (explicit_edges) {
        problem.bins = make_bins_between({0.0, 0.1 * c.r_max, 0.5 * c.r_max});
      }
      for (const kernels::cpu::Variant& variant : kernels::cpu::variants()) {
        for (int frame = 0; variant.supported && frame < 2; ++frame) {
          // The positions of the next frame, in the same memory.
          const PairProblem next =
              testing::random_problem(random, c.box, 0.5 * c.r_max, 500, 700, true);
          std::copy(next.first.begin(), next.first.end(), problem.first.begin());
          problem.cluster();
          ++number;
          Counts counts(problem.bins.count + 1ULL);
          for (const std::size_t row : {0U, 100U, 250U, 650U}) {
            kernels::PairBlock part = problem.block();
            part.row_begin = row;
            part.row_end = row == 0U     ? 100U
                           : row == 100U ? 250U
                           : row == 250U ? 650U
                                         : 700U;
            kernels::cpu::count_pairs(variant, {&part, 1}, 1, counts.data(), nullptr,
                                      number);
          }
          INFO(c.name << ", " << variant.name << ", frame " << frame);
          CHECK(difference(counts, testing::reference_counts(problem)) == "");
        }
      }
    }
  }
}

TEST_CASE("a stopped call skips rectangles and clusters of pairs") {
  Random random(45);
  const Box box = testing::rhombic_dodecahedron();
  PairProblem problem = testing::random_problem(random, box, 0.6, 2000, 3000, true);
  for (const bool clustered : {false, true}) {
    kernels::PairBlock block = problem.block();
    block.clustered = clustered;
    for (const kernels::cpu::Variant& variant : kernels::cpu::variants()) {
      if (!variant.supported) {
        continue;
      }
      INFO(variant.name << (clustered ? ", clustered" : ""));
      std::atomic<bool> stop{false};
      Counts counts(problem.bins.count + 1ULL);
      const auto count = [&] {
        return kernels::cpu::count_pairs(variant, {&block, 1}, 1, counts.data(), &stop)
            .pairs;
      };
      CHECK(count() == block.pair_count());
      stop = true;
      CHECK(count() == 0);
    }
  }
}

}  // namespace
}  // namespace starhist
