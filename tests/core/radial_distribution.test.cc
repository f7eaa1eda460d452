#include "codelets/core/analysis/radial_distribution.hh"

#include <cmath>
#include <limits>
#include <numbers>

#include "codelets/core/analysis/distribution_errors.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/counting/pair_bin.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/random.hh"

namespace starhist {
namespace {

using testing::missing;

constexpr PairId only_pair{0};

double relative_error(double value, double expected) {
  return std::abs(value / expected - 1.0);
}

/// One frame of a layout with one pair; everything else must be set by the test.
BlockCounts frame(const HistogramLayout& layout, double volume,
                  const std::vector<std::uint64_t>& particle_number,
                  const std::vector<std::uint64_t>& counts) {
  BlockCounts block = empty_block(layout, BlockIndex(0));
  const SpeciesPair pair = layout.pairs[0];
  block.frames = 1;
  block.volume = volume;
  block.inverse_volume = 1.0 / volume;
  block.particle_number = particle_number;
  block.counts[0] = counts;
  block.pairs[0] = pair_count(pair, particle_number[pair.first.index()],
                              particle_number[pair.second.index()]);
  block.pairs_over_volume[0] = static_cast<double>(block.pairs[0]) / volume;
  block.out_of_range[0] = block.pairs[0];
  for (const auto count : counts) {
    block.out_of_range[0] -= count;
  }
  return block;
}

HistogramLayout unlike_layout(double r_max, std::uint32_t bins) {
  return {
      {"H", "O"}, {{SpeciesId(0), SpeciesId(1)}}, make_bins(r_max, bins), "nm", "ps"};
}

HistogramLayout like_layout(double r_max, std::uint32_t bins) {
  return {{"O"}, {{SpeciesId(0), SpeciesId(0)}}, make_bins(r_max, bins), "nm", "ps"};
}

double first_g(const HistogramLayout& layout, const std::vector<BlockCounts>& blocks,
               analysis::Normalization normalization) {
  return analysis::radial_distribution(layout, blocks, only_pair, normalization)
      .front();
}

const auto all_normalizations = {analysis::Normalization::pairs_over_volume,
                                 analysis::Normalization::mean_volume,
                                 analysis::Normalization::per_frame};

TEST_CASE("shell volumes add up to the sphere") {
  const UniformBins bins = make_bins(2.0, 1000);
  double sum = 0.0;
  for (std::uint32_t k = 0; k < bins.count; ++k) {
    sum += analysis::shell_volume(bins, k);
  }
  CHECK(relative_error(sum, 4.0 / 3.0 * std::numbers::pi * 8.0) < 1e-13);
  CHECK(relative_error(analysis::shell_volume(make_bins(1.0, 2), 1),
                       4.0 / 3.0 * std::numbers::pi * 0.875) < 1e-13);
}

TEST_CASE("bin centres are as round as the bins") {
  const UniformBins bins = make_bins(1.2, 240);
  CHECK(analysis::bin_centre(bins, 0) == 0.0025);
  CHECK(analysis::bin_centre(bins, 2) == 0.0125);
  CHECK(analysis::bin_centre(bins, 239) == 1.1975);
}

TEST_CASE("bins are normalizable up to the inscribed radius") {
  const UniformBins bins = make_bins(2.0, 4);
  CHECK(analysis::normalizable_bins(bins, 0.49) == 0);
  CHECK(analysis::normalizable_bins(bins, 0.5) == 1);
  CHECK(analysis::normalizable_bins(bins, 0.99) == 1);
  CHECK(analysis::normalizable_bins(bins, 1.5) == 3);
  CHECK(analysis::normalizable_bins(bins, 2.0) == 4);
  CHECK(analysis::normalizable_bins(bins, std::numeric_limits<double>::infinity()) ==
        4);
}

TEST_CASE("half of a box that was rounded to float32 keeps the last bin") {
  const double half_box = 0.5 * static_cast<double>(3.7F);
  REQUIRE(half_box < 1.8500001);
  CHECK(analysis::normalizable_bins(make_bins(1.85, 100), half_box) == 100);
  CHECK(analysis::normalizable_bins(make_bins(1.85, 100), 1.85 * (1.0 - 1e-7)) == 100);
  CHECK(analysis::normalizable_bins(make_bins(1.85, 100), 1.85 * (1.0 - 1e-5)) == 99);
}

TEST_CASE("the three normalisations of two frames with V and 2 V") {
  // 1 H and 2 O: 2 pairs per frame; 1 of them in the bin, then 2. By hand:
  // 3 / (2/10 + 2/20), 3 / (4 / 15), (1 / (2/10) + 2 / (2/20)) / 2.
  const HistogramLayout layout = unlike_layout(1.0, 1);
  const std::vector<BlockCounts> blocks{frame(layout, 10.0, {1, 2}, {1}),
                                        frame(layout, 20.0, {1, 2}, {2})};
  const double shell = 4.0 / 3.0 * std::numbers::pi;
  CHECK(relative_error(
            first_g(layout, blocks, analysis::Normalization::pairs_over_volume),
            10.0 / shell) < 1e-13);
  CHECK(relative_error(first_g(layout, blocks, analysis::Normalization::mean_volume),
                       11.25 / shell) < 1e-13);
  CHECK(relative_error(first_g(layout, blocks, analysis::Normalization::per_frame),
                       12.5 / shell) < 1e-13);
  // The first two do not depend on the grouping of frames into blocks.
  const std::vector<BlockCounts> one_block{total(blocks)};
  CHECK(relative_error(
            first_g(layout, one_block, analysis::Normalization::pairs_over_volume),
            10.0 / shell) < 1e-13);
  CHECK(relative_error(first_g(layout, one_block, analysis::Normalization::mean_volume),
                       11.25 / shell) < 1e-13);
}

TEST_CASE("the three normalisations agree for constant volume and numbers") {
  const HistogramLayout layout = like_layout(1.0, 2);
  const BlockCounts first =
      total({frame(layout, 30.0, {4}, {1, 2}), frame(layout, 30.0, {4}, {0, 3})});
  const std::vector<BlockCounts> blocks{first, frame(layout, 30.0, {4}, {2, 4})};
  // 3 frames of 6 pairs in V = 30, 3 and 9 counts, shells of 1/8 and 7/8 of a sphere.
  const double sphere = 4.0 / 3.0 * std::numbers::pi;
  for (const auto normalization : all_normalizations) {
    const auto g =
        analysis::radial_distribution(layout, blocks, only_pair, normalization);
    CHECK(relative_error(g[0], 3.0 * 30.0 / 18.0 / (sphere / 8.0)) < 1e-13);
    CHECK(relative_error(g[1], 9.0 * 30.0 / 18.0 / (sphere * 7.0 / 8.0)) < 1e-13);
  }
}

TEST_CASE("the counts of an ideal gas give g = 1") {
  // Every shell s_k holds P s_k / V pairs. To make these integers:
  // s_k = sphere (3 k^2 + 3 k + 1) / 10^3, so P / V = 10^3 m / sphere.
  const HistogramLayout layout = unlike_layout(1.0, 10);
  const double sphere = 4.0 / 3.0 * std::numbers::pi;
  const std::uint64_t n = 1'000'000;
  const std::uint64_t m = 7;
  const double volume = static_cast<double>(n * n) * sphere / (1000.0 * m);
  std::vector<std::uint64_t> counts;
  for (std::uint64_t k = 0; k < 10; ++k) {
    counts.push_back(m * (3 * k * k + 3 * k + 1));
  }
  const std::vector<BlockCounts> blocks{frame(layout, volume, {n, n}, counts)};
  for (const auto normalization : all_normalizations) {
    for (const double g :
         analysis::radial_distribution(layout, blocks, only_pair, normalization)) {
      CHECK(relative_error(g, 1.0) < 1e-13);
    }
  }
}

TEST_CASE("frames with different particle numbers are weighted by pairs over volume") {
  // 3 and 6 pairs in V = 10 and 40, all of them counted in the bin.
  const HistogramLayout layout = unlike_layout(1.0, 1);
  const std::vector<BlockCounts> blocks{frame(layout, 10.0, {1, 3}, {3}),
                                        frame(layout, 40.0, {2, 3}, {6})};
  const double shell = 4.0 / 3.0 * std::numbers::pi;
  CHECK(relative_error(
            first_g(layout, blocks, analysis::Normalization::pairs_over_volume),
            9.0 / (0.3 + 0.15) / shell) < 1e-13);
  CHECK(relative_error(first_g(layout, blocks, analysis::Normalization::mean_volume),
                       9.0 / (9.0 / 25.0) / shell) < 1e-13);
  CHECK(relative_error(first_g(layout, blocks, analysis::Normalization::per_frame),
                       (10.0 + 40.0) / 2.0 / shell) < 1e-13);
}

TEST_CASE("a frame without pairs does not lower the mean over frames") {
  const HistogramLayout layout = unlike_layout(1.0, 1);
  const std::vector<BlockCounts> blocks{frame(layout, 10.0, {1, 2}, {1}),
                                        frame(layout, 10.0, {0, 2}, {0})};
  CHECK(relative_error(first_g(layout, blocks, analysis::Normalization::per_frame),
                       5.0 / (4.0 / 3.0 * std::numbers::pi)) < 1e-13);
}

TEST_CASE("g is not a number beyond the smallest inscribed radius and without pairs") {
  const HistogramLayout layout = like_layout(1.0, 4);
  std::vector<BlockCounts> blocks{frame(layout, 8.0, {4}, {0, 1, 2, 3}),
                                  frame(layout, 9.0, {4}, {0, 1, 2, 3})};
  blocks[0].inscribed_radius = 0.8;
  blocks[1].inscribed_radius = 0.9;
  const auto g = analysis::radial_distribution(
      layout, blocks, only_pair, analysis::Normalization::pairs_over_volume);
  REQUIRE(g.size() == 4);
  CHECK(g[0] == 0.0);
  CHECK(g[2] > 0.0);
  CHECK(std::isnan(g[3]));

  const std::vector<BlockCounts> lonely{frame(layout, 8.0, {1}, {0, 0, 0, 0})};
  for (const auto normalization : all_normalizations) {
    CHECK(std::isnan(first_g(layout, lonely, normalization)));
  }
}

std::string refusal(const HistogramLayout& layout,
                    const std::vector<BlockCounts>& blocks,
                    analysis::Normalization normalization) {
  return testing::error_text<InputError>(
      [&] { analysis::radial_distribution(layout, blocks, only_pair, normalization); });
}

TEST_CASE("per-frame is refused if a block hides different frames") {
  const HistogramLayout layout = like_layout(1.0, 1);
  const auto block_of = [&](const BlockCounts& a, const BlockCounts& b) {
    return std::vector<BlockCounts>{total({a, b})};
  };
  const auto volumes =
      block_of(frame(layout, 10.0, {4}, {1}), frame(layout, 10.01, {4}, {1}));
  CHECK(missing(refusal(layout, volumes, analysis::Normalization::per_frame),
                {"volumes", "O-O", "--block 1"}) == "");
  CHECK(refusal(layout, volumes, analysis::Normalization::pairs_over_volume).empty());
  CHECK(refusal(layout, volumes, analysis::Normalization::mean_volume).empty());

  // 3 and 5 particles have the mean of 4 and 4, but not their pairs.
  const auto numbers =
      block_of(frame(layout, 10.0, {3}, {1}), frame(layout, 10.0, {5}, {1}));
  CHECK(missing(refusal(layout, numbers, analysis::Normalization::per_frame),
                {"particle numbers"}) == "");
  // 3 and 4 have no integer mean.
  const auto odd =
      block_of(frame(layout, 10.0, {3}, {1}), frame(layout, 10.0, {4}, {1}));
  CHECK(missing(refusal(layout, odd, analysis::Normalization::per_frame),
                {"particle numbers"}) == "");
}

TEST_CASE("the like pairs show that an unlike pair's numbers change") {
  // 1 + 3 H with 2 O each: the sums of N and of H-O pairs equal those of 2 + 2 H.
  HistogramLayout layout = unlike_layout(1.0, 1);
  layout.pairs.push_back({SpeciesId(0), SpeciesId(0)});
  std::vector<BlockCounts> frames{frame(layout, 10.0, {1, 2}, {1}),
                                  frame(layout, 10.0, {3, 2}, {1})};
  frames[1].pairs[1] = 3;
  frames[1].pairs_over_volume[1] = 0.3;
  CHECK(missing(refusal(layout, {total(frames)}, analysis::Normalization::per_frame),
                {"particle numbers"}) == "");
}

TEST_CASE("numbers of an unlike pair alone must be the same in all blocks") {
  // 2 B in each frame; 1 and 3 A have the sums of 2 and 2.
  HistogramLayout layout = unlike_layout(1.0, 1);
  const BlockCounts even =
      total({frame(layout, 10.0, {2, 2}, {1}), frame(layout, 10.0, {2, 2}, {1})});
  const BlockCounts uneven =
      total({frame(layout, 10.0, {1, 2}, {1}), frame(layout, 10.0, {3, 2}, {1})});
  const BlockCounts larger =
      total({frame(layout, 10.0, {4, 2}, {1}), frame(layout, 10.0, {4, 2}, {1})});
  const auto refused = [&](const std::vector<BlockCounts>& blocks) {
    return missing(refusal(layout, blocks, analysis::Normalization::per_frame),
                   {"particle numbers may differ", "like pairs", "--block 1"}) == "";
  };
  CHECK(refused({uneven, larger}));
  CHECK(refused({even, even, even, even, larger}));
  CHECK(refusal(layout, {even}, analysis::Normalization::per_frame).empty());
  const std::vector<BlockCounts> five(5, even);
  CHECK(refusal(layout, five, analysis::Normalization::per_frame).empty());
  const std::vector<BlockCounts> single(2, frame(layout, 10.0, {2, 2}, {1}));
  CHECK(refusal(layout, single, analysis::Normalization::per_frame).empty());
  layout.selections = {"A within 1 of B", ""};
  CHECK(refused(five));
}

TEST_CASE("without a volume g is refused and the message says what is available") {
  const HistogramLayout layout = like_layout(1.0, 1);
  BlockCounts open = frame(layout, 1.0, {4}, {1});
  open.volume = 0.0;
  open.inverse_volume = 0.0;
  open.pairs_over_volume = {0.0};
  for (const auto normalization : all_normalizations) {
    CHECK(missing(refusal(layout, {open}, normalization),
                  {"counts and coordination numbers are available"}) == "");
    CHECK_FALSE(refusal(layout, {}, normalization).empty());
  }
}

TEST_CASE("coordination numbers of a like pair") {
  // A triangle with sides in bin 1: each of 3 particles has 2 neighbours.
  const HistogramLayout layout = like_layout(2.0, 4);
  const auto directions = analysis::coordination_numbers(
      layout, frame(layout, 10.0, {3}, {0, 3, 0, 0}), only_pair);
  REQUIRE(directions.size() == 1);
  CHECK(directions[0].centre == SpeciesId(0));
  CHECK(directions[0].other == SpeciesId(0));
  CHECK(directions[0].value == std::vector<double>{0.0, 2.0, 2.0, 2.0});
}

TEST_CASE("coordination numbers of an unlike pair, both directions") {
  // Two frames of one water molecule and a far H: 2 of 3 O-H pairs in bin 0.
  const HistogramLayout layout = unlike_layout(2.0, 2);
  const BlockCounts molecule = frame(layout, 10.0, {3, 1}, {2, 1});
  const auto directions =
      analysis::coordination_numbers(layout, total({molecule, molecule}), only_pair);
  REQUIRE(directions.size() == 2);
  CHECK(directions[0].centre == SpeciesId(0));
  CHECK(directions[0].value == std::vector<double>{4.0 / 6.0, 1.0});
  CHECK(directions[1].centre == SpeciesId(1));
  CHECK(directions[1].other == SpeciesId(0));
  CHECK(directions[1].value == std::vector<double>{2.0, 3.0});
}

TEST_CASE("coordination numbers without a centre are not a number") {
  const HistogramLayout layout = unlike_layout(1.0, 1);
  const auto directions = analysis::coordination_numbers(
      layout, frame(layout, 10.0, {0, 5}, {0}), only_pair);
  CHECK(std::isnan(directions[0].value[0]));
  CHECK(directions[1].value[0] == 0.0);
}

TEST_CASE("coordination numbers end with the largest sphere in the box") {
  const HistogramLayout layout = like_layout(2.0, 4);
  BlockCounts block = frame(layout, 10.0, {3}, {0, 1, 1, 1});
  block.inscribed_radius = 1.2;  // between the edges 1.0 and 1.5
  BlockCounts larger = block;
  larger.inscribed_radius = 1.7;
  const auto numbers = [&](const std::vector<BlockCounts>& blocks) {
    return analysis::coordination_numbers(layout, total(blocks), only_pair)[0].value;
  };
  CHECK(analysis::coordination_bins(layout, block) == 2);
  for (const auto& blocks : {std::vector{block, larger}, std::vector{larger, block}}) {
    const std::vector<double> n = numbers(blocks);
    const auto errors = analysis::coordination_errors(layout, blocks, only_pair)[0];
    REQUIRE(n.size() == 4);
    REQUIRE(errors.size() == 4);
    CHECK(n[0] == 0.0);
    CHECK(n[1] == 2.0 / 3.0);
    CHECK_FALSE(std::isnan(errors[1]));
    for (const std::size_t k : {2, 3}) {
      CHECK(std::isnan(n[k]));
      CHECK(std::isnan(errors[k]));
    }
  }
  CHECK(numbers({larger})[2] == 4.0 / 3.0);
  CHECK(std::isnan(numbers({larger})[3]));
  block.inscribed_radius = std::numeric_limits<double>::infinity();  // an open box
  CHECK(numbers({block})[3] == 2.0);
}

TEST_CASE("excluded pairs affect neither the norm of g nor neighbours") {
  const HistogramLayout layout = like_layout(1.0, 4);
  // 4 particles in 2 molecules: 6 pairs, of which 2 do not count.
  BlockCounts block = frame(layout, 10.0, {4}, {0, 2, 1, 0});
  const double all = analysis::radial_distribution(
      layout, {block}, only_pair, analysis::Normalization::pairs_over_volume)[1];
  block.pairs[0] = 4;
  block.excluded[0] = 2;
  block.pairs_over_volume[0] = 0.4;
  block.out_of_range[0] = 1;
  for (const analysis::Normalization normalization : all_normalizations) {
    const auto g =
        analysis::radial_distribution(layout, {block}, only_pair, normalization);
    CHECK(relative_error(g[1], all * 6.0 / 4.0) < 1e-14);
  }
  const auto n = analysis::coordination_numbers(layout, block, only_pair);
  CHECK(n[0].value == std::vector<double>{0.0, 2.0 * 2 / 4, 2.0 * 3 / 4, 2.0 * 3 / 4});
}

TEST_CASE("coordination numbers count from zero on, also with bins from r_min on") {
  HistogramLayout layout = unlike_layout(1.0, 4);
  layout.bins = make_bins(1.0, 3, 1);
  BlockCounts block = frame(layout, 10.0, {4, 2}, {1, 2, 3});
  block.underflow[0] = 2;
  block.out_of_range[0] -= 2;
  const auto n = analysis::coordination_numbers(layout, block, only_pair);
  CHECK(n[0].value == std::vector<double>{0.75, 1.25, 2.0});
  CHECK(n[1].value == std::vector<double>{1.5, 2.5, 4.0});
  const auto g = analysis::radial_distribution(
      layout, {block}, only_pair, analysis::Normalization::pairs_over_volume);
  CHECK(relative_error(
            g[0], 1.0 / (0.8 * analysis::shell_volume(make_bins(1.0, 4), 1))) < 1e-14);
}

TEST_CASE("normalisations have names that read back") {
  for (const auto normalization : all_normalizations) {
    CHECK(analysis::parse_normalization(to_string(normalization)) == normalization);
  }
  CHECK(to_string(analysis::Normalization::pairs_over_volume) == "pairs-over-volume");
  CHECK(missing(testing::error_text<InputError>(
                    [] { analysis::parse_normalization("median"); }),
                {"median", "per-frame"}) == "");
}

/// Pairs of random particles in frames with separate boxes, each a block.
std::vector<BlockCounts> ideal_gas(const HistogramLayout& layout,
                                   const std::vector<Box>& boxes,
                                   std::size_t particles) {
  testing::Random random(72);
  std::vector<BlockCounts> blocks;
  for (const Box& box : boxes) {
    const auto xyz = testing::random_positions(random, box, particles);
    std::vector<std::uint64_t> counts(layout.bins.count);
    const auto position = [&](std::size_t k) {
      return Vec3{xyz[3 * k], xyz[3 * k + 1], xyz[3 * k + 2]};
    };
    for (std::size_t i = 0; i < particles; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const std::uint32_t bin =
            pair_bin(box.minimum_image(), layout.bins, position(i), position(j));
        if (bin < layout.bins.count) {
          ++counts[bin];
        }
      }
    }
    blocks.push_back(frame(layout, box.volume(), {particles}, counts));
    blocks.back().box = box;
    blocks.back().inscribed_radius = box.inscribed_radius();
  }
  return blocks;
}

TEST_CASE("an ideal gas has g = 1 within 5 sigma, up to the corner of any box") {
  constexpr std::size_t particles = 300;
  for (const auto& [name, box] : testing::test_boxes()) {
    if (!box.has_volume() || box.covering_radius() > 10.0) {
      continue;
    }
    INFO(name);
    const HistogramLayout layout = like_layout(box.covering_radius(), 25);
    const auto blocks = ideal_gas(layout, std::vector<Box>(8, box), particles);
    for (const analysis::Normalization normalization : all_normalizations) {
      const auto g =
          analysis::radial_distribution(layout, blocks, only_pair, normalization);
      for (std::size_t k = 0; k < g.size(); ++k) {
        double counted = 0.0;
        for (const BlockCounts& block : blocks) {
          counted += static_cast<double>(block.counts[0][k]);
        }
        INFO("bin " << k << " with " << counted << " pairs");
        REQUIRE_FALSE(std::isnan(g[k]));
        // The last shell may have hardly a pair: take sigma from the expected number.
        const double expected = g[k] > 0.0 ? counted / g[k] : 1.0;
        CHECK(std::abs(counted - expected) <= 5.0 * std::sqrt(expected) + 1.0);
      }
    }
  }
}

TEST_CASE("changing boxes: each frame has its shells, and none without boxes") {
  const HistogramLayout layout = like_layout(0.9, 18);
  std::vector<Box> boxes;
  for (const double edge : {1.0, 1.05, 1.1, 1.15}) {
    boxes.insert(boxes.end(), 4, testing::cubic_box(edge));
  }
  auto blocks = ideal_gas(layout, boxes, 300);
  const auto g = analysis::radial_distribution(
      layout, blocks, only_pair, analysis::Normalization::pairs_over_volume);
  for (std::size_t k = 4; k < 14; ++k) {
    CHECK(g[k] == Approx(1.0).margin(0.05));
  }
  CHECK(std::isnan(g[17]) == false);
  blocks[3].box.reset();
  const auto less = analysis::radial_distribution(
      layout, blocks, only_pair, analysis::Normalization::pairs_over_volume);
  CHECK(less[9] == g[9]);
  CHECK(std::isnan(less[10]));
}

}  // namespace
}  // namespace starhist
