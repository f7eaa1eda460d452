// Every CUDA variant in every box against the reference kernel: equal counts.
#include "tests/cuda/gpu_only.hh"
#include "tests/kernels/kernel_cases.hh"

namespace starhist::testing {
namespace {

const std::vector<NamedKernel>& variants() {
  static const std::vector<NamedKernel> kernels{
      {"auto", device_kernel(kernels::cuda::Variant::automatic)},
      {"fixed-point", device_kernel(kernels::cuda::Variant::fixed_point)},
      {"definition", device_kernel(kernels::cuda::Variant::definition)}};
  return kernels;
}

void check_every_variant(const std::string& name, const PairProblem& problem,
                         const Kernel& expected_from = kernels::reference::count_pairs,
                         int threads = 1) {
  const Counts expected = counts_of(expected_from, problem, threads);
  for (const NamedKernel& kernel : variants()) {
    INFO(name << (problem.like ? ", like, " : ", unlike, ") << problem.bins.count
              << " bins, " << problem.first.size() / 3 << " x "
              << problem.second.size() / 3 << " particles, " << kernel.name);
    CHECK(difference(counts_of(kernel.count, problem), expected) == "");
  }
}

TEST_CASE("GPU: bins between explicit edges are refused") {
  if (skipped()) {
    return;
  }
  PairProblem problem{
      Box(), make_bins_between({0.0, 0.5, 2.0}), {0, 0, 0, 1, 0, 0}, {}, true};
  CHECK_THROWS_AS(counts_of(variants().front().count, problem), InternalError);
}

TEST_CASE("GPU: every box and number of bins, particles around the sizes of warps") {
  if (skipped()) {
    return;
  }
  Random random(41);
  for (const KernelCase& c : kernel_cases()) {
    for (const std::size_t count : {0, 1, 2, 31, 32, 33, 65, 257}) {
      for (const std::uint32_t bin_count : {1U, 100U, 4096U, 50'000U, 200'000U}) {
        for (const bool like : {true, false}) {
          check_every_variant(
              c.name, random_problem(random, c.box, c.r_max, bin_count, count, like));
        }
      }
    }
  }
}

TEST_CASE("GPU: every box, several panels and tiles") {
  if (skipped()) {
    return;
  }
  Random random(42);
  const Kernel cpu_kernel = cpu_kernels().back().count;
  for (const KernelCase& c : kernel_cases()) {
    for (const std::uint32_t bin_count :
         {1U, 4096U, 50'000U, 100'000U, 200'000U, 500'000U}) {
      for (const bool like : {true, false}) {
        check_every_variant(
            c.name, random_problem(random, c.box, c.r_max, bin_count, 5000, like),
            cpu_kernel, 16);
      }
    }
  }
}

TEST_CASE("GPU: r_max far below and far beyond the box, unwrapped, coincident") {
  if (skipped()) {
    return;
  }
  Random random(43);
  for (const KernelCase& c : kernel_cases()) {
    for (const double factor : {1e-6, 0.01, 0.3, 3.0, 1e6}) {
      PairProblem problem =
          random_problem(random, c.box, factor * c.r_max, 1000, 300, true);
      std::copy_n(problem.first.begin(), 30, problem.first.end() - 30);
      check_every_variant(c.name, problem);
      unwrap(random, c.box, 1000, problem.first);
      check_every_variant(c.name + ", unwrapped", problem);
    }
  }
}

TEST_CASE("GPU: rows in parts add up to the whole") {
  if (skipped()) {
    return;
  }
  Random random(44);
  for (const KernelCase& c : kernel_cases()) {
    const PairProblem problem =
        random_problem(random, c.box, c.r_max, 1000, 3000, true);
    const Counts expected = counts_of(cpu_kernels().back().count, problem);
    for (const NamedKernel& kernel : variants()) {
      INFO(c.name << ", " << kernel.name);
      std::vector<kernels::PairBlock> slices;
      const std::size_t ends[] = {0, 1, 700, 701, 1733, 3000};
      for (std::size_t k = 0; k + 1 < std::size(ends); ++k) {
        slices.push_back(problem.block());
        slices.back().row_begin = ends[k];
        slices.back().row_end = ends[k + 1];
      }
      CHECK(difference(counts_of(kernel.count, slices), expected) == "");
    }
  }
}

TEST_CASE("GPU: boxes whose edges were rounded when they were written") {
  if (skipped()) {
    return;
  }
  Random random(47);
  for (const double step : {1e-3, 1e-5, 6e-8}) {
    for (const Box& exact :
         {truncated_octahedron(), rhombic_dodecahedron(), hexagonal_box(1.6),
          periodic_box({1.0, 0, 0}, {0, 1.2, 0}, {0, 0, 0.9})}) {
      std::array<Vec3, 3> edge{};
      for (std::size_t k = 0; k < 3; ++k) {
        const auto rounded = [&](double x) {
          return step * std::nearbyint(x / step + random.uniform(-1.0, 1.0));
        };
        const Vec3 v = exact.edges()[k];
        edge[k] = {rounded(v.x), rounded(v.y), rounded(v.z)};
      }
      const Box box = periodic_box(edge[0], edge[1], edge[2]);
      for (const std::uint32_t bin_count : {10U, 300U, 4096U, 30'000U}) {
        for (const std::size_t count : {70, 3000}) {
          const PairProblem problem = random_problem(
              random, box, 0.95 * box.covering_radius(), bin_count, count, true);
          check_every_variant("rounded to " + std::to_string(step), problem,
                              cpu_kernels().back().count, 16);
        }
      }
    }
  }
}

TEST_CASE("GPU: rows of large slices, slices of many panels in one launch") {
  if (skipped()) {
    return;
  }
  Random random(46);
  for (const KernelCase& c : kernel_cases()) {
    std::vector<PairProblem> frames;
    for (const std::size_t count : {4500, 4700}) {
      frames.push_back(random_problem(random, c.box, c.r_max, 1000, count, true));
    }
    const PairProblem large =
        random_problem(random, c.box, c.r_max, 1000, 13'000, true);
    std::vector<kernels::PairBlock> blocks{frames[0].block(), frames[1].block()};
    std::vector<kernels::PairBlock> slices;
    const std::size_t ends[] = {0, 4300, 8601, 13'000};
    for (std::size_t k = 0; k + 1 < std::size(ends); ++k) {
      slices.push_back(large.block());
      slices.back().row_begin = ends[k];
      slices.back().row_end = ends[k + 1];
    }
    const Kernel cpu_kernel = cpu_kernels().back().count;
    const Counts expected_of_frames = counts_of(cpu_kernel, blocks);
    const Counts expected_of_large = counts_of(cpu_kernel, large, 16);
    for (const NamedKernel& kernel : variants()) {
      INFO(c.name << ", " << kernel.name);
      CHECK(difference(counts_of(kernel.count, blocks), expected_of_frames) == "");
      CHECK(difference(counts_of(kernel.count, slices), expected_of_large) == "");
    }
  }
}

TEST_CASE(
    "GPU: many frames in few launches, of all sizes, in boxes of several shapes") {
  if (skipped()) {
    return;
  }
  Random random(45);
  const std::vector<Box> boxes{Box(), cubic_box(1.0), cubic_box(1.1),
                               truncated_octahedron()};
  for (const bool like : {true, false}) {
    std::vector<PairProblem> problems;
    for (const Box& box : boxes) {
      for (int k = 0; k < 50; ++k) {  // more than one launch can hold
        const std::size_t counts[] = {33, 0, 700, 1, 2, 1500};
        problems.push_back(
            random_problem(random, box, 0.8, 5000, counts[random.below(6)], like));
      }
      problems.push_back(random_problem(random, cubic_box(0.9), 0.8, 5000, 90, like));
    }
    std::vector<kernels::PairBlock> blocks;
    for (const PairProblem& problem : problems) {
      blocks.push_back(problem.block());
    }
    const Counts expected = counts_of(cpu_kernels().back().count, blocks);
    for (const NamedKernel& kernel : variants()) {
      INFO(kernel.name << (like ? ", like" : ", unlike"));
      CHECK(difference(counts_of(kernel.count, blocks), expected) == "");
    }
  }
}

TEST_CASE("GPU: tiled blocks, every box, for every r_max, and more bins than fit") {
  if (skipped()) {
    return;
  }
  Random random(46);
  const Kernel cpu_kernel = cpu_kernels().back().count;
  const auto check = [&](const KernelCase& c, double factor, std::uint32_t bin_count,
                         std::size_t particles, bool like, bool unwrapped) {
    PairProblem problem =
        random_problem(random, c.box, factor * c.r_max, bin_count, particles, like);
    if (unwrapped) {
      unwrap(random, c.box, 100, problem.first);
    }
    const Counts expected = counts_of(cpu_kernel, problem, 16);
    problem.cluster(kernels::ClusterAxes::cartesian);
    INFO(c.name << (like ? ", like, " : ", unlike, ") << bin_count << " bins, r_max * "
                << factor << ", " << particles << " particles");
    CHECK(difference(counts_of(variants().front().count, problem), expected) == "");
  };
  for (const KernelCase& c : kernel_cases()) {
    for (const bool like : {true, false}) {
      for (const double factor : {1e-3, 0.05, 0.3, 1.0, 3.0}) {
        for (const std::size_t particles : {1, 33, 1100}) {
          check(c, factor, 500, particles, like, particles == 33);
        }
      }
      for (const std::uint32_t bin_count : {50'000U, 90'000U, 400'000U}) {
        check(c, 0.3, bin_count, 1100, like, true);
      }
      for (const double factor : {1e-3, 0.05}) {  // clusters are wider than the range
        check(c, factor, 60'000, 1100, like, false);
      }
      for (const std::uint32_t bin_count : {500U, 200'000U}) {
        check(c, 1.0, bin_count, 5000, like, false);
      }
    }
  }
}

/// Particles of one frame as rows and, a short time later, the same ones as columns:
/// some at rest, the others a little displaced, in another order.
PairProblem two_frames(Random& random, const KernelCase& c, std::uint32_t bin_count,
                       std::size_t count) {
  PairProblem problem = random_problem(random, c.box, c.r_max, bin_count, count, false);
  problem.second.clear();
  for (std::size_t i = count; i-- > 0;) {
    const double step = i % 4 == 0 ? 0.0 : 0.02 * c.r_max;
    for (std::size_t k = 0; k < 3; ++k) {
      problem.second.push_back(problem.first[3 * i + k] +
                               step * (random.uniform() - 0.5));
    }
  }
  unwrap(random, c.box, 3, problem.second);
  return problem;
}

TEST_CASE(
    "GPU: rows of one frame with columns of a later one, in any and spatial order") {
  if (skipped()) {
    return;
  }
  Random random(48);
  const Kernel cpu_kernel = cpu_kernels().back().count;
  for (const KernelCase& c : kernel_cases()) {
    for (const std::uint32_t bin_count : {100U, 4096U, 60'000U}) {
      for (const std::size_t count : {1, 33, 3000}) {
        PairProblem problem = two_frames(random, c, bin_count, count);
        check_every_variant(c.name + ", two frames", problem, cpu_kernel, 16);
        const Counts expected = counts_of(cpu_kernel, problem, 16);
        problem.cluster(kernels::ClusterAxes::cartesian);
        INFO(c.name << ", two frames in spatial order, " << bin_count << " bins, "
                    << count << " particles");
        CHECK(difference(counts_of(variants().front().count, problem), expected) == "");
      }
    }
  }
}

TEST_CASE("GPU: counts of 8 and 16 bits overflow into each other and keep their sums") {
  if (skipped()) {
    return;
  }
  // Distances 0, 1, 2, ... in bins of width 1, so that neighbours fill up together.
  for (const std::uint32_t bin_count : {90'000U, 200'000U, 700'000U}) {
    for (const bool like : {true, false}) {
      PairProblem problem{Box(), make_bins(bin_count, bin_count), {}, {}, like};
      for (auto* positions : {&problem.first, &problem.second}) {
        for (int k = 0; k < 20'000; ++k) {
          positions->insert(positions->end(), {0.25 + k % 9, 0.0, 0.0});
        }
      }
      INFO(bin_count << " bins");
      check_every_variant("a line", problem, cpu_kernels().back().count, 16);
    }
  }
}

TEST_CASE("GPU: all pairs in one bin, more than 2^32 of them for each multiprocessor") {
  if (skipped()) {
    return;
  }
  PairProblem problem{Box(), make_bins(1.0, 10), {}, {}, true};
  problem.first.assign(3 * 1'300'000, 0.25);
  const Counts counts = counts_of(variants().front().count, problem);
  CHECK(counts[0] == problem.block().pair_count());
  problem.box = cubic_box(1.0);
  CHECK(counts_of(variants().front().count, problem) == counts);
}

TEST_CASE("GPU: tiled blocks, a window of many bins at a time") {
  if (skipped()) {
    return;
  }
  Random random(47);
  for (const KernelCase& c : kernel_cases()) {
    for (const bool like : {true, false}) {
      // The last are too many for counts of 8 bits, but wide, and use windows.
      for (const auto& [bin_count, wider] :
           {std::pair{60'000U, 1.0}, {110'000U, 1.0}, {210'000U, 4.0}}) {
        PairProblem problem =
            random_problem(random, c.box, wider * c.r_max, bin_count, 20'000, like);
        // A dense cluster, and a few whose clusters are wider than expected.
        for (std::size_t k = 0; k < problem.first.size() - 3000; ++k) {
          problem.first[k] *= like ? 1.0 : 0.3;
        }
        const Counts expected = counts_of(cpu_kernels().back().count, problem, 16);
        problem.cluster();
        INFO(c.name << (like ? ", like, " : ", unlike, ") << bin_count << " bins");
        CHECK(difference(counts_of(variants().front().count, problem), expected) == "");
      }
    }
  }
}

TEST_CASE("GPU: tiled blocks, as many bins as fit into shared memory, and one more") {
  if (skipped()) {
    return;
  }
  Random random(48);
  // 227 KiB: with 32 bits; optimistic, with 8 bits.
  for (const std::uint32_t most : {51'559U, 206'111U}) {
    for (const std::uint32_t bin_count : {most, most + 1U}) {
      PairProblem problem =
          random_problem(random, cubic_box(2.0), 1.7, bin_count, 3000, false);
      const Counts expected = counts_of(cpu_kernels().back().count, problem, 16);
      problem.cluster();
      INFO(bin_count << " bins");
      CHECK(difference(counts_of(variants().front().count, problem), expected) == "");
    }
  }
}

TEST_CASE("GPU: tiled, all pairs in one bin, more than 2^32 for each multiprocessor") {
  if (skipped()) {
    return;
  }
  PairProblem problem{cubic_box(10.0), make_bins(1.0, 10), {}, {}, false};
  for (int k = 0; k < 800'000; ++k) {
    problem.first.insert(problem.first.end(), {0.25, 0.5, 0.5});
    problem.second.insert(problem.second.end(), {0.80, 0.5, 0.5});
  }
  problem.cluster();
  const Counts counts = counts_of(variants().front().count, problem);
  CHECK(counts[5] == problem.block().pair_count());
}

/// Whole numbers up to 19 as coordinates, of the first `count` of 8000 particles.
std::vector<double> crystal(std::size_t count) {
  std::vector<double> positions;
  for (std::size_t k = 0; k < count; ++k) {
    for (const std::size_t site : {k % 20, k / 20 % 20, k / 400}) {
      positions.push_back(static_cast<double>(site));
    }
  }
  return positions;
}

TEST_CASE("GPU: tiled, distances on edges, including the last one") {
  if (skipped()) {
    return;
  }
  for (const Box& box : {Box(), cubic_box(20.0), cubic_box(20.5)}) {
    // All in range, and not; with one image, and several.
    for (const auto& [r_max, bin_count] :
         {std::pair(40.0, 120'000U), std::pair(9.0, 120'000U), std::pair(9.0, 36U),
          std::pair(9.0, 45'000U), std::pair(17.0, 34U), std::pair(17.0, 51'000U)}) {
      PairProblem problem{box, make_bins(r_max, bin_count), crystal(70), crystal(8000),
                          false};
      const Counts expected = counts_of(cpu_kernels().back().count, problem, 16);
      problem.cluster();
      INFO(r_max << ", " << bin_count << " bins");
      CHECK(difference(counts_of(variants().front().count, problem), expected) == "");
    }
  }
}

// The last test case: it makes the GPU stop counting optimistically.
TEST_CASE("GPU: tiled, counts of 8 bits overflow, at any flush interval") {
  if (skipped()) {
    return;
  }
  for (const Box& box : {Box(), cubic_box(20.0)}) {
    for (const double r_max : {40.0, 9.0}) {
      PairProblem problem{box, make_bins(r_max, 120'000), crystal(8000), {}, true};
      const Counts expected = counts_of(cpu_kernels().back().count, problem, 16);
      problem.cluster();
      for (int trial = 0; trial < 4; ++trial) {
        INFO(r_max << ", " << trial);
        CHECK(difference(counts_of(variants().front().count, problem), expected) == "");
      }
    }
  }
}

}  // namespace
}  // namespace starhist::testing
