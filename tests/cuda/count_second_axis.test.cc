// GPUs count pairs by distance and second axis as the defining function does.
#include <utility>

#include "codelets/kernels/cpu/second_axis/cpu_count_second_axis.hh"
#include "codelets/kernels/cuda/launch/cuda_count_second_axis.hh"
#include "tests/cuda/gpu_only.hh"
#include "tests/kernels/second_axis_cases.hh"

namespace starhist::testing {
namespace {

/// Counts by GPU and CPU, each some of the parts.
std::vector<std::uint64_t> count_by_both(Random& random,
                                         const kernels::SecondAxisPairs& pairs) {
  const kernels::SecondAxisCount counter(pairs);
  std::vector<std::uint64_t> counts(out_of_range(pairs) + 1);
  const std::size_t by_cpu = random.below(counter.parts() + 1);
  for (std::size_t part = 0; part < by_cpu; ++part) {
    counter.count(part, counts.data());
  }
  std::size_t next = by_cpu;
  const auto next_rows = [&]() -> std::optional<kernels::RowRange> {
    if (next == counter.parts()) {
      return std::nullopt;
    }
    const std::size_t begin = next;
    next += 1 + random.below(counter.parts() - next);
    return counter.rows(begin, next);
  };
  REQUIRE(kernels::cuda::count_second_axis(counter.ordered_pairs(),
                                           counter.in_spatial_order(), next_rows,
                                           counts.data(), nullptr));
  counts.back() = 0;
  return counts;
}

TEST_CASE("GPU: counts of two axes equal the defining function") {
  if (skipped()) {
    return;
  }
  Random random(450);
  for (int trial = 0; trial < 300; ++trial) {
    SecondAxisProblem problem;
    set_few_particles(random, trial, problem);
    INFO("few particles, trial " << trial);
    REQUIRE(count_by_both(random, problem.pairs) == expected_counts(problem.pairs));
  }
  for (int trial = 0; trial < 24; ++trial) {
    SecondAxisProblem problem;
    set_many_particles(random, trial, problem);
    INFO("many particles, trial " << trial);
    REQUIRE(count_by_both(random, problem.pairs) == expected_counts(problem.pairs));
  }
  for (int trial = 0; trial < 400; ++trial) {
    SecondAxisProblem problem;
    set_pairs_on_edges(random, problem);
    INFO("on edges, trial " << trial);
    REQUIRE(count_by_both(random, problem.pairs) == expected_counts(problem.pairs));
  }
}

TEST_CASE("GPU: groups of particles out of range are skipped, and no others") {
  if (skipped()) {
    return;
  }
  Random random(451);
  cudaStream_t stream = nullptr;
  check_cuda(cudaStreamCreate(&stream));
  for (int trial = 0; trial < 12; ++trial) {
    SecondAxisProblem problem;
    kernels::SecondAxisPairs& pairs = problem.pairs;
    const double skew = trial % 3 == 1 ? 15.0 : 0.0;
    const bool open = trial % 3 == 2;
    pairs.box = Box({Vec3{40, 0, 0}, Vec3{skew, 42, 0}, Vec3{-skew, skew, 38}},
                    {true, !open, true});
    problem.first = random_positions(random, pairs.box, 20'000);
    problem.second = random_positions(random, pairs.box, 15'000);
    pairs.like = trial % 2 == 0;
    pairs.bins = make_bins(random.uniform(0.8, 4.0), 40);
    pairs.axis = random_axis(random, 20'000, problem.directions);
    problem.point();
    INFO("trial " << trial);
    const kernels::SecondAxisCount counter(pairs);
    REQUIRE(counter.in_spatial_order());
    std::vector<std::uint64_t> expected(out_of_range(pairs) + 1);
    for (std::size_t part = 0; part < counter.parts(); ++part) {
      counter.count(part, expected.data());
    }
    expected.back() = 0;
    std::vector<std::uint64_t> counts(expected.size());
    bool asked = false;
    const auto all_rows = [&]() -> std::optional<kernels::RowRange> {
      return std::exchange(asked, true)
                 ? std::nullopt
                 : std::optional(counter.rows(0, counter.parts()));
    };
    REQUIRE(kernels::cuda::count_second_axis(counter.ordered_pairs(), true, all_rows,
                                             counts.data(), stream));
    CHECK(cudaStreamQuery(stream) == cudaSuccess);
    counts.back() = 0;
    CHECK(sum_of(counts) > 1000);
    CHECK((counts == expected));
  }
  check_cuda(cudaStreamDestroy(stream));
}

}  // namespace
}  // namespace starhist::testing
