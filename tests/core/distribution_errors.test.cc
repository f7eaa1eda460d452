#include "codelets/core/analysis/distribution_errors.hh"

#include <cmath>

#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

const PairId only_pair(0);

/// Blocks of one frame with the count statistics of independent frames.
std::vector<BlockCounts> random_blocks(Random& random, const HistogramLayout& layout,
                                       std::size_t count, double volume_spread) {
  std::vector<BlockCounts> blocks;
  for (std::size_t b = 0; b < count; ++b) {
    BlockCounts block = empty_block(layout, BlockIndex(b));
    block.frames = 1;
    block.volume = 8.0 * (1.0 + volume_spread * random.uniform(-1.0, 1.0));
    block.inverse_volume = 1.0 / block.volume;
    block.inscribed_radius = 1.0;
    block.particle_number = {100};
    block.pairs = {4950};
    block.pairs_over_volume = {4950.0 / block.volume};
    for (auto& bin : block.counts[0]) {
      bin = 50 + random.below(20);
    }
    blocks.push_back(block);
  }
  return blocks;
}

HistogramLayout one_species(std::uint32_t bins) {
  return {{"O"}, {{SpeciesId(0), SpeciesId(0)}}, make_bins(1.0, bins), "nm", "ps"};
}

TEST_CASE("the jackknife gives the standard error of a mean and of a ratio") {
  Random random(91);
  const HistogramLayout layout = one_species(5);
  const auto blocks = random_blocks(random, layout, 12, 0.0);
  const analysis::ShellVolumes shells(layout, blocks);
  for (const analysis::Normalization normalization :
       {analysis::Normalization::pairs_over_volume,
        analysis::Normalization::mean_volume, analysis::Normalization::per_frame}) {
    const auto errors = analysis::radial_distribution_errors(layout, blocks, shells,
                                                             only_pair, normalization);
    for (std::uint32_t k = 0; k < 5; ++k) {
      double mean = 0.0;
      double squares = 0.0;
      for (const BlockCounts& block : blocks) {
        const double g = analysis::radial_distribution(
            layout, {block}, only_pair, analysis::Normalization::pairs_over_volume)[k];
        mean += g / 12.0;
        squares += g * g;
      }
      CHECK(errors[k] ==
            Approx(std::sqrt((squares - 12.0 * mean * mean) / (12.0 * 11.0))));
    }
  }
}

TEST_CASE("errors of g(r) match the spread of repeated runs, for every normalisation") {
  Random random(92);
  const HistogramLayout layout = one_species(3);
  constexpr int runs = 400;
  constexpr std::size_t blocks_of_a_run = 20;
  for (const analysis::Normalization normalization :
       {analysis::Normalization::pairs_over_volume,
        analysis::Normalization::mean_volume, analysis::Normalization::per_frame}) {
    double mean = 0.0;
    double squares = 0.0;
    double mean_variance = 0.0;
    for (int run = 0; run < runs; ++run) {
      const auto blocks = random_blocks(random, layout, blocks_of_a_run, 0.2);
      const analysis::ShellVolumes shells(layout, blocks);
      const double g = analysis::radial_distribution(layout, blocks, shells, only_pair,
                                                     normalization)[2];
      const double error = analysis::radial_distribution_errors(
          layout, blocks, shells, only_pair, normalization)[2];
      mean += g / runs;
      squares += g * g / runs;
      mean_variance += error * error / runs;
    }
    // The variance of 400 runs has a standard error of 7 %.
    CHECK(mean_variance / (squares - mean * mean) == Approx(1.0).epsilon(0.25));
  }
}

TEST_CASE("errors of coordination numbers with pairs below r_min") {
  Random random(94);
  HistogramLayout layout = one_species(4);
  auto blocks = random_blocks(random, layout, 6, 0.1);
  const auto from_zero = analysis::coordination_errors(layout, blocks, only_pair)[0];
  layout.bins = make_bins(layout.bins.r_max, 3, 1);
  for (BlockCounts& block : blocks) {
    block.underflow[0] = block.counts[0].front();
    block.counts[0].erase(block.counts[0].begin());
  }
  const auto errors = analysis::coordination_errors(layout, blocks, only_pair)[0];
  CHECK(errors == std::vector<double>(from_zero.begin() + 1, from_zero.end()));
}

TEST_CASE("errors of coordination numbers are NaN for a single block") {
  Random random(93);
  const HistogramLayout layout = one_species(4);
  const auto blocks = random_blocks(random, layout, 6, 0.1);
  const auto errors = analysis::coordination_errors(layout, blocks, only_pair);
  REQUIRE(errors.size() == 1);
  double mean = 0.0;
  double squares = 0.0;
  for (const BlockCounts& block : blocks) {
    const double n =
        analysis::coordination_numbers(layout, block, only_pair)[0].value[3];
    mean += n / 6.0;
    squares += n * n;
  }
  CHECK(errors[0][3] == Approx(std::sqrt((squares - 6.0 * mean * mean) / 30.0)));

  const std::vector<BlockCounts> one{blocks[0]};
  CHECK(std::isnan(analysis::coordination_errors(layout, one, only_pair)[0][0]));
  CHECK(std::isnan(analysis::radial_distribution_errors(
      layout, one, analysis::ShellVolumes(layout, one), only_pair,
      analysis::Normalization::pairs_over_volume)[0]));
}

}  // namespace
}  // namespace starhist::testing
