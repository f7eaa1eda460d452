// Particles with labels, counted in one pass: every pair of labels has the counts of
// the reference kernel, and of the oracle, from the expected loop.
#include <numeric>

#include "codelets/kernels/cpu/count_labelled_pairs.hh"
#include "tests/kernels/hard_problems.hh"
#include "tests/kernels/kernel_cases.hh"
#include "tests/support/brute_force.hh"
#include "tests/support/catch.hh"
#include "tests/support/pair_problem.hh"

namespace starhist {
namespace {

using kernels::cpu::LabelRun;
using testing::Counts;
using testing::difference;
using testing::KernelCase;
using testing::PairProblem;
using testing::Random;

/// Particles of several labels in one frame.
struct LabelledFrame {
  Box box;
  UniformBins bins;
  std::vector<std::uint32_t> label_begin;
  std::vector<double> positions;

  std::vector<double> of_label(std::uint32_t label) const {
    return {positions.begin() + 3 * std::ptrdiff_t{label_begin[label]},
            positions.begin() + 3 * std::ptrdiff_t{label_begin[label + 1]}};
  }
  kernels::cpu::LabelledBlock block() const {
    return {{positions.data(), positions.size() / 3},
            label_begin.data(),
            &box.minimum_image(),
            &bins};
  }
};

std::vector<std::uint32_t> begins(const std::vector<std::uint32_t>& sizes) {
  std::vector<std::uint32_t> begin{0};
  std::partial_sum(sizes.begin(), sizes.end(), std::back_inserter(begin));
  return begin;
}

LabelledFrame random_frame(Random& random, const Box& box, double r_max,
                           std::uint32_t bins,
                           const std::vector<std::uint32_t>& sizes) {
  LabelledFrame frame{box, make_bins(r_max, bins), begins(sizes), {}};
  frame.positions = testing::random_positions(random, box, frame.label_begin.back());
  return frame;
}

/// Each label with itself and all later ones.
std::vector<LabelRun> all_runs(std::uint32_t labels) {
  std::vector<LabelRun> runs;
  std::uint64_t histograms = 0;
  for (std::uint32_t label = 0; label < labels; ++label) {
    runs.push_back({label, label, labels, histograms});
    histograms += labels - label;
  }
  return runs;
}

std::uint64_t histograms_of(const std::vector<LabelRun>& runs) {
  std::uint64_t count = 0;
  for (const LabelRun& run : runs) {
    count += run.end_label - run.first_label;
  }
  return count;
}

/// The histograms of all runs by the reference kernel, one after the other.
Counts expected_counts(const std::vector<LabelledFrame>& frames,
                       const std::vector<LabelRun>& runs) {
  const std::size_t size = frames.front().bins.count + std::size_t{1};
  Counts all(histograms_of(runs) * size, 0);
  for (const LabelRun& run : runs) {
    for (std::uint32_t label = run.first_label; label < run.end_label; ++label) {
      for (const LabelledFrame& frame : frames) {
        const bool like = label == run.row_label;
        const PairProblem problem{frame.box, frame.bins, frame.of_label(run.row_label),
                                  like ? std::vector<double>() : frame.of_label(label),
                                  like};
        const Counts counts = testing::reference_counts(problem);
        const std::size_t begin =
            (run.first_histogram + label - run.first_label) * size;
        for (std::size_t k = 0; k < size; ++k) {
          all[begin + k] += counts[k];
        }
      }
    }
  }
  return all;
}

/// Counts of the runs. Checks the number of pairs and the memory around the counts.
Counts counts_of(const kernels::cpu::Variant& variant,
                 const std::vector<LabelledFrame>& frames,
                 const std::vector<LabelRun>& runs, int threads = 1,
                 std::string* loop = nullptr) {
  constexpr std::uint64_t guard = 0xfeedfacecafebeef;
  const std::size_t size =
      histograms_of(runs) * (frames.front().bins.count + std::size_t{1});
  Counts counts(size + 80, guard);
  std::fill(counts.begin() + 40, counts.end() - 40, 1);
  std::vector<kernels::cpu::LabelledBlock> blocks;
  std::uint64_t pairs = 0;
  for (const LabelledFrame& frame : frames) {
    blocks.push_back(frame.block());
    for (const LabelRun& run : runs) {
      pairs += pair_count(run, frame.label_begin.data());
    }
  }
  const kernels::CountedPairs counted = kernels::cpu::count_labelled_pairs(
      variant, blocks, runs, threads, counts.data() + 40);
  CHECK(counted.pairs == pairs);
  CHECK(std::count(counts.begin(), counts.begin() + 40, guard) == 40);
  CHECK(std::count(counts.end() - 40, counts.end(), guard) == 40);
  if (loop != nullptr) {
    *loop = counted.loop;
  }
  Counts own(counts.begin() + 40, counts.end() - 40);
  for (std::uint64_t& count : own) {
    --count;
  }
  CHECK(std::accumulate(own.begin(), own.end(), std::uint64_t{0}) == pairs);
  return own;
}

void check_variants(const std::vector<LabelledFrame>& frames,
                    const std::vector<LabelRun>& runs, const std::string& metric = "",
                    int threads = 1) {
  const Counts expected = expected_counts(frames, runs);
  for (const kernels::cpu::Variant& variant : kernels::cpu::variants()) {
    if (variant.supported) {
      std::string loop;
      INFO(variant.name << ", " << frames.front().bins.count << " bins");
      CHECK(difference(counts_of(variant, frames, runs, threads, &loop), expected) ==
            "");
      if (!metric.empty()) {
        CHECK(loop == variant.name + " labelled " + metric);
      }
    }
  }
}

TEST_CASE(
    "labelled: every box and number of bins, sizes around the lengths of "
    "vectors") {
  Random random(71);
  const std::vector<std::uint32_t> sizes{0, 1, 2, 31, 0, 32, 33, 1};
  const auto labels = static_cast<std::uint32_t>(sizes.size());
  for (const KernelCase& c : testing::kernel_cases()) {
    for (const std::uint32_t bins : {1U, 100U, 4096U, 50'000U}) {
      INFO(c.name);
      check_variants({random_frame(random, c.box, c.r_max, bins, sizes)},
                     all_runs(labels), bins <= c.fast_bins ? c.metric : "");
    }
  }
}

TEST_CASE("labelled: many ambiguous pairs, and more bins than float32 can resolve") {
  Random random(72);
  for (const KernelCase& c : testing::kernel_cases()) {
    INFO(c.name);
    check_variants({random_frame(random, c.box, c.r_max, 4096, {257, 1, 90})},
                   all_runs(3), 4096 <= c.fast_bins ? c.metric : "");
    if (c.name == "cubic" || c.name == "hexagonal, far") {
      check_variants({random_frame(random, c.box, c.r_max, 3'000'000, {30, 20})},
                     all_runs(2), c.metric + " in double");
    }
  }
}

TEST_CASE("labelled: r_max far below and far beyond half the box") {
  Random random(73);
  for (const KernelCase& c : testing::kernel_cases()) {
    for (const double factor : {1e-6, 0.01, 0.3, 3.0, 1e6}) {
      INFO(c.name << ", factor " << factor);
      LabelledFrame frame =
          random_frame(random, c.box, factor * c.r_max, 1000, {20, 30, 20});
      // Some particles must be within the small r_max.
      std::copy_n(frame.positions.begin(), 90, frame.positions.end() - 90);
      check_variants({frame}, all_runs(3));
    }
  }
}

TEST_CASE("labelled: distances on bin edges and next to ties of images") {
  Random random(74);
  for (int round = 0; round < 60; ++round) {
    const PairProblem problem = testing::hard_problem(random);
    LabelledFrame frame{problem.box, problem.bins, begins({1, 50, 1, 100, 49}), {}};
    frame.positions = problem.first;
    frame.positions.insert(frame.positions.end(), problem.second.begin(),
                           problem.second.end());
    check_variants({frame}, all_runs(5));
  }
}

TEST_CASE("labelled: particles on a grid, whose distances are bin edges") {
  LabelledFrame frame{
      testing::cubic_box(1.0), make_bins(0.5, 8), begins({9, 0, 30, 25}), {}};
  for (int i = 0; i < 64; ++i) {
    testing::append(frame.positions,
                    {0.25 * (i % 4), 0.25 * (i / 4 % 4), 0.25 * (i / 16)});
  }
  check_variants({frame}, all_runs(4), "isotropic");
}

TEST_CASE(
    "labelled: frames with varying particle numbers, threads, and omitted pairs") {
  Random random(75);
  const Box box = testing::truncated_octahedron();
  std::vector<LabelledFrame> frames;
  for (const std::vector<std::uint32_t>& sizes :
       {std::vector<std::uint32_t>{5, 70, 3, 0, 12},
        {0, 0, 0, 0, 0},
        {1, 2, 3, 4, 5},
        {40, 0, 7, 1200, 2}}) {
    frames.push_back(random_frame(random, box, 0.6, 20'000, sizes));
  }
  for (const int threads : {1, 3}) {
    check_variants(frames, all_runs(5), "searched", threads);
    // Label 2 pairs only with itself, and histograms are in another order.
    check_variants(
        frames, {{0, 0, 2, 3}, {0, 3, 5, 1}, {1, 1, 2, 0}, {2, 2, 3, 5}, {3, 4, 5, 6}},
        "searched", threads);
  }
}

TEST_CASE("labelled: empty input") {
  Random random(76);
  for (const std::vector<std::uint32_t>& sizes :
       {std::vector<std::uint32_t>{0, 0}, {1, 0}, {0, 1}}) {
    const LabelledFrame frame =
        random_frame(random, testing::cubic_box(1.0), 0.5, 10, sizes);
    std::string loop;
    const Counts counts =
        counts_of(kernels::cpu::selected_variant(), {frame}, all_runs(2), 1, &loop);
    CHECK(counts == Counts(33, 0));
    CHECK(loop.empty());
  }
}

TEST_CASE("labelled: counts equal the oracle that tries all images") {
  Random random(77);
  for (const auto& [name, box] : testing::test_boxes()) {
    const double r_max = box.has_volume() ? 0.9 * box.covering_radius() : 1.0;
    const LabelledFrame frame = random_frame(random, box, r_max, 97, {7, 20, 1, 12});
    const std::vector<LabelRun> runs = all_runs(4);
    const Counts counts = counts_of(kernels::cpu::selected_variant(), {frame}, runs);
    auto next = counts.begin();
    for (std::uint32_t a = 0; a < 4; ++a) {
      for (std::uint32_t b = a; b < 4; ++b, next += 98) {
        INFO(name << ", labels " << a << " and " << b);
        const auto expected = testing::brute_force_counts(
            box, r_max, 97, frame.of_label(a),
            a == b ? std::vector<double>() : frame.of_label(b));
        REQUIRE(expected.near_edge == 0);
        CHECK(difference({next, next + 98}, expected.counts) == "");
      }
    }
  }
}

TEST_CASE("labelled: out of memory in a thread is reported to the caller") {
  Random random(78);
  const LabelledFrame frame =
      random_frame(random, testing::cubic_box(1.0), 0.5, 10, {5, 5});
  kernels::cpu::LabelledBlock block = frame.block();
  block.particles.count = std::size_t{1} << 61U;  // more than any vector can hold
  Counts counts(3 * 11, 0);
  for (const int threads : {1, 2}) {
    CHECK_THROWS(kernels::cpu::count_labelled_pairs(
        std::vector{frame.block(), block}, all_runs(2), threads, counts.data()));
  }
}

}  // namespace
}  // namespace starhist
