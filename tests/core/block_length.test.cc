#include "codelets/core/analysis/block_length.hh"

#include <cmath>

#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

const std::vector<PairId> one_pair_only{PairId(0)};

/// Blocks of one frame. The next frame retains a fraction `memory` of a frame's
/// deviation from the mean, which gives correlation times of -1/ln(memory) frames.
std::vector<BlockCounts> remembering_blocks(Random& random,
                                            const HistogramLayout& layout,
                                            std::size_t count, double memory,
                                            double volume) {
  std::vector<BlockCounts> blocks;
  double state = 0.0;
  for (std::size_t b = 0; b < count; ++b) {
    BlockCounts block = empty_block(layout, BlockIndex(b));
    block.frames = 1;
    block.volume = volume;
    block.inverse_volume = volume > 0.0 ? 1.0 / volume : 0.0;
    block.inscribed_radius = 1.0;
    block.particle_number = {1000};
    block.pairs = {499500};
    block.pairs_over_volume = {volume > 0.0 ? 499500.0 / volume : 0.0};
    state =
        memory * state + std::sqrt(1.0 - memory * memory) * random.uniform(-1.0, 1.0);
    for (auto& bin : block.counts[0]) {
      bin = static_cast<std::uint64_t>(10000.0 + 1000.0 * state +
                                       50.0 * random.uniform(-1.0, 1.0));
    }
    blocks.push_back(block);
  }
  return blocks;
}

HistogramLayout one_species() {
  return {{"O"}, {{SpeciesId(0), SpeciesId(0)}}, make_bins(1.0, 10), "nm", "ps"};
}

TEST_CASE("errors from few or too short blocks come with a caveat") {
  Random random(8);
  const HistogramLayout layout = one_species();
  const auto caveat = [&](std::size_t blocks, double memory) {
    return analysis::error_caveat(
        layout, remembering_blocks(random, layout, blocks, memory, 8.0), one_pair_only);
  };
  CHECK(missing(caveat(2, 0.0),
                {"from 2 blocks", "uncertain by 71 %", "count more frames"}) == "");
  CHECK(missing(caveat(4, 0.0), {"from 4 blocks", "uncertain by 41 %"}) == "");
  CHECK(caveat(5, 0.0) == "");
  int false_alarms = 0;
  int alarms = 0;
  for (int trial = 0; trial < 100; ++trial) {
    false_alarms += caveat(256, 0.0).empty() ? 0 : 1;
    alarms += caveat(256, 0.9).empty() ? 0 : 1;
  }
  INFO(false_alarms << " false alarms");
  CHECK(false_alarms < 35);  // by chance; about one in five
  CHECK(alarms == 100);
  CHECK(missing(caveat(256, 0.9),
                {"too small", "blocks of 1 frame are too short", "--block"}) == "");
}

TEST_CASE("levels halve the number of blocks down to four") {
  Random random(5);
  const HistogramLayout layout = one_species();
  const auto blocks = remembering_blocks(random, layout, 37, 0.0, 8.0);
  const auto levels = analysis::block_length_levels(layout, blocks, one_pair_only);
  REQUIRE(levels.size() == 4);
  CHECK(levels[0].blocks == 37);
  CHECK(levels[1].blocks == 18);
  CHECK(levels[3].blocks == 4);
  CHECK(levels[1].frames == Approx(37.0 / 18.0));
  CHECK(levels[1].uncertainty == Approx(1.0 / std::sqrt(34.0)));
  CHECK(analysis::block_length_levels(layout, {blocks[0], blocks[1], blocks[2]},
                                      one_pair_only)
            .empty());
}

TEST_CASE("the first level's error is that of g, the running error that of pairs") {
  Random random(6);
  const HistogramLayout layout = one_species();
  const auto blocks = remembering_blocks(random, layout, 8, 0.5, 8.0);
  const auto levels = analysis::block_length_levels(layout, blocks, one_pair_only);
  double squares = 0.0;
  for (std::uint32_t k = 0; k < 10; ++k) {
    double mean = 0.0;
    double square = 0.0;
    for (std::size_t b = 0; b < 8; b += 2) {
      const double g = analysis::radial_distribution(
          layout, {total({blocks[b], blocks[b + 1]})}, PairId(0),
          analysis::Normalization::pairs_over_volume)[k];
      mean += g / 4.0;
      square += g * g;
    }
    squares += (square - 4.0 * mean * mean) / (4.0 * 3.0);
  }
  REQUIRE(levels.size() == 2);
  CHECK(levels[1].errors[0] == Approx(std::sqrt(squares / 10.0)));
}

TEST_CASE("independent blocks are long enough, correlated ones are not") {
  const HistogramLayout layout = one_species();
  int wrong_independent = 0;
  int wrong_remembering = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (const double volume : {8.0, 0.0}) {
      Random random(1000 + seed);
      const auto verdict = [&](double memory) {
        return analysis::check_block_length(analysis::block_length_levels(
            layout, remembering_blocks(random, layout, 256, memory, volume),
            one_pair_only));
      };
      wrong_independent +=
          verdict(0.0).verdict == analysis::BlockVerdict::long_enough ? 0 : 1;
      const analysis::BlockLengthCheck slow = verdict(0.9);
      wrong_remembering +=
          slow.verdict == analysis::BlockVerdict::too_short && slow.growth > 2.0 ? 0
                                                                                 : 1;
    }
  }
  // 2.5 standard deviations at each of five levels: few false alarms, no misses.
  CHECK(wrong_independent < 12);
  CHECK(wrong_remembering == 0);
}

TEST_CASE("blocks are too short if one of many pairs finds them so") {
  // One pair's squared error grows by a fraction, the others' does not.
  const auto verdict = [](double fraction, std::size_t pairs) {
    std::vector<double> next(pairs, 1.0);
    next.back() = std::sqrt(1.0 + fraction);
    const std::vector<double> same(pairs, 1.0);
    const std::vector<analysis::BlockLengthLevel> levels{{1.0, 64, 0.1, same, same},
                                                         {2.0, 32, 0.1, same, next}};
    return analysis::check_block_length(levels).verdict;
  };
  // The limit of the mean is 2.5 / 8 = 0.31, of one of six pairs 3.66 / 8 = 0.46.
  CHECK(verdict(0.30, 1) == analysis::BlockVerdict::long_enough);
  CHECK(verdict(0.33, 1) == analysis::BlockVerdict::too_short);
  CHECK(verdict(0.44, 6) == analysis::BlockVerdict::long_enough);
  CHECK(verdict(0.48, 6) == analysis::BlockVerdict::too_short);
}

TEST_CASE("the message about short blocks contains a remedy") {
  Random random(8);
  const HistogramLayout layout = one_species();
  const auto sentence = [&](std::size_t count, double memory) {
    const auto levels = analysis::block_length_levels(
        layout, remembering_blocks(random, layout, count, memory, 8.0), one_pair_only);
    return analysis::to_sentence(analysis::check_block_length(levels), levels);
  };
  CHECK(missing(sentence(256, 0.95), {"blocks of 1 frame are too short",
                                      "times as large", "--block"}) == "");
  CHECK(missing(sentence(8, 0.0), {"too few blocks", "16 frames, but the run has 8",
                                   "count more frames"}) == "");
  CHECK(missing(sentence(32, 0.95),
                {"joined in groups of ", "or more (a test whether ",
                 " is enough needs 16 such blocks, that is, 64 frames"}) == "");
  CHECK(missing(sentence(1024, 0.0), {"1 frame are"}) == "");
}

TEST_CASE("the message about long blocks reports growth by chance") {
  const auto sentence = [](double next) {
    const std::vector<analysis::BlockLengthLevel> levels{{1.0, 64, 0.1, {1.0}, {1.0}},
                                                         {2.0, 32, 0.1, {1.0}, {next}}};
    return analysis::to_sentence(analysis::check_block_length(levels), levels);
  };
  CHECK(missing(sentence(1.0), {"long enough", "do not grow"}) == "");
  CHECK(missing(sentence(1.12), {"long enough", "up to 1.12 times"}) == "");
}

}  // namespace
}  // namespace starhist::testing
