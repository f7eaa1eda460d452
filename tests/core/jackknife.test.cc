#include "codelets/core/analysis/jackknife.hh"

#include <cmath>
#include <numeric>

#include "codelets/core/analysis/block_length.hh"
#include "codelets/core/analysis/distribution_errors.hh"
#include "codelets/core/analysis/integrals/kirkwood_buff.hh"
#include "codelets/core/analysis/scattering_sums.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"

// Standard errors from blocks of unequal length, compared with the known spread of
// their frames.

namespace starhist::testing {
namespace {

using Lengths = std::vector<std::uint32_t>;

const PairId the_pair(0);
constexpr std::uint32_t bin_count = 20;
constexpr int stretches = 40;

/// A last block much shorter than the others, as at the end of a trajectory.
const std::vector<Lengths> unequal{
    {100, 1},
    {100, 100, 1},
    {100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 1},
    {3, 50, 7}};

HistogramLayout layout() {
  return {{"O"}, {{SpeciesId(0), SpeciesId(0)}}, make_bins(1.0, bin_count), "nm", "ps"};
}

TEST_CASE("the error of equal estimates is exactly zero") {
  const std::vector<double> weights{3.0, 7.0, 1.0, 3.0, 3.0};
  for (const double value : {1.0, 1.0 / 3.0, 1e-300}) {
    CHECK(analysis::jackknife_error(weights, [=](std::size_t) { return value; }) ==
          0.0);
  }
}

TEST_CASE("an estimate that only one group makes has no error") {
  const std::vector<double> weights{0.0, 3.0, 7.0, 1.0};
  const auto without = [](std::size_t group) {
    return group == 2 ? std::nan("") : 5.0;
  };
  CHECK(std::isnan(analysis::jackknife_error(weights, without)));
}

/// Counts of a trajectory's frames, in each bin: mean + state. The state of a frame
/// retains a fraction `memory` of the previous one, and its variance is spread^2.
class Frames {
 public:
  Frames(Random& random, double memory) : random_(random), memory_(memory) {
    for (double& state : states_) {
      state = fresh();
    }
  }

  std::uint64_t next(std::uint32_t bin) {
    double& state = states_[bin];
    state = memory_ * state + std::sqrt(1.0 - memory_ * memory_) * fresh();
    return static_cast<std::uint64_t>(std::lround(mean + state));
  }

  static constexpr double mean = 100'000.0;
  static constexpr double spread = 3'000.0;

  /// Standard error of the mean of `frames` frames.
  double standard_error(std::uint32_t frames) const {
    double sum = 1.0;  // correlations with earlier and later frames, by distance
    double correlation = 1.0;
    for (std::uint32_t k = 1; k < frames; ++k) {
      correlation *= memory_;
      sum += 2.0 * (1.0 - static_cast<double>(k) / frames) * correlation;
    }
    return spread * std::sqrt(sum / frames);
  }

 private:
  double fresh() { return std::sqrt(3.0) * spread * random_.uniform(-1.0, 1.0); }

  Random& random_;
  double memory_;
  double states_[bin_count] = {};
};

std::vector<BlockCounts> make_blocks(Frames& frames, const Lengths& lengths) {
  std::vector<BlockCounts> blocks;
  for (const std::uint32_t length : lengths) {
    BlockCounts block = empty_block(layout(), BlockIndex(blocks.size()));
    block.frames = length;
    block.volume = 8.0 * length;
    block.inverse_volume = length / 8.0;
    block.inscribed_radius = 1.0;
    block.particle_number = {std::uint64_t{3000} * length};
    block.pairs = {std::uint64_t{4498500} * length};
    block.pairs_over_volume = {4498500.0 * length / 8.0};
    for (std::uint32_t f = 0; f < length; ++f) {
      for (std::uint32_t k = 0; k < bin_count; ++k) {
        block.counts[0][k] += frames.next(k);
      }
    }
    blocks.push_back(block);
  }
  return blocks;
}

std::uint32_t sum_of(const Lengths& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), 0U);
}

/// Root mean square of the relative standard errors of independent stretches, divided
/// by the true one. `errors_of` computes errors of blocks, each relative to its mean.
template <class ErrorsOf>
double rms_over_true(Random& random, const Lengths& lengths, double memory,
                     ErrorsOf errors_of) {
  double squares = 0.0;
  std::size_t number = 0;
  double truth = 0.0;
  for (int stretch = 0; stretch < stretches; ++stretch) {
    Frames frames(random, memory);
    truth = frames.standard_error(sum_of(lengths)) / Frames::mean;
    for (const double error : errors_of(make_blocks(frames, lengths))) {
      squares += error * error;
      ++number;
    }
  }
  return std::sqrt(squares / static_cast<double>(number)) / truth;
}

std::vector<double> divided(std::vector<double> errors,
                            const std::vector<double>& values) {
  for (std::size_t k = 0; k < errors.size(); ++k) {
    errors[k] /= values[k];
  }
  return errors;
}

std::vector<double> g_errors(const std::vector<BlockCounts>& blocks,
                             analysis::Normalization normalization) {
  const analysis::ShellVolumes shells(layout(), blocks);
  return divided(
      analysis::radial_distribution_errors(layout(), blocks, shells, the_pair,
                                           normalization),
      analysis::radial_distribution(layout(), blocks, shells, the_pair, normalization));
}

TEST_CASE("errors of g(r) from blocks of unequal length, every normalisation") {
  for (const Lengths& lengths : unequal) {
    CAPTURE(lengths);
    for (const analysis::Normalization normalization :
         {analysis::Normalization::pairs_over_volume,
          analysis::Normalization::mean_volume, analysis::Normalization::per_frame}) {
      Random random(17);
      const double ratio = rms_over_true(random, lengths, 0.0, [&](const auto& blocks) {
        return g_errors(blocks, normalization);
      });
      CHECK(ratio > 0.8);
      CHECK(ratio < 1.25);
    }
  }
}

TEST_CASE("errors of coordination numbers from blocks of unequal length") {
  for (const Lengths& lengths : unequal) {
    CAPTURE(lengths);
    Random random(18);
    // Only the first bin: further ones are sums, with smaller errors.
    const double ratio = rms_over_true(random, lengths, 0.0, [&](const auto& blocks) {
      return std::vector{
          analysis::coordination_errors(layout(), blocks, the_pair)[0][0] /
          analysis::coordination_numbers(layout(), total(blocks), the_pair)[0]
              .value[0]};
    });
    CHECK(ratio > 0.8);
    CHECK(ratio < 1.25);
  }
}

TEST_CASE("errors of curves from groups of unequal length") {
  // Kirkwood-Buff integrals and structure factors use this; here one number per bin.
  for (const Lengths& lengths : unequal) {
    CAPTURE(lengths);
    Random random(19);
    const double integrals =
        rms_over_true(random, lengths, 0.0, [&](const auto& blocks) {
          const auto groups =
              analysis::kirkwood_buff_sums(blocks, the_pair, bin_count, 50);
          const auto curves = analysis::jackknife_curves(
              groups, [](const analysis::KirkwoodBuffSums& sums) {
                std::vector<double> g = sums.counts;
                for (double& value : g) {
                  value /= sums.pairs_over_volume;
                }
                return std::vector<std::vector<double>>{g};
              });
          return divided(curves.errors[0], curves.values[0]);
        });
    CHECK(integrals > 0.8);
    CHECK(integrals < 1.25);

    const double factors = rms_over_true(random, lengths, 0.0, [&](const auto& blocks) {
      std::vector<analysis::ScatteringSums> groups(blocks.size());
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        groups[b].frames = blocks[b].frames;
        groups[b].pairs.emplace_back(blocks[b].counts[0].begin(),
                                     blocks[b].counts[0].end());
      }
      const auto curves =
          analysis::jackknife_curves(groups, [](const analysis::ScatteringSums& sums) {
            std::vector<double> values = sums.pairs[0];
            for (double& value : values) {
              value /= sums.frames;
            }
            return std::vector<std::vector<double>>{values};
          });
      return divided(curves.errors[0], curves.values[0]);
    });
    CHECK(factors > 0.8);
    CHECK(factors < 1.25);
  }
}

TEST_CASE("block test with a short last block") {
  for (const Lengths& lengths : {Lengths{100, 100, 100, 100, 1},
                                 Lengths{40, 40, 40, 40, 40, 40, 40, 40, 40, 2}}) {
    CAPTURE(lengths);
    Random random(20);
    const double ratio = rms_over_true(random, lengths, 0.0, [&](const auto& blocks) {
      const double shell_mean = 4498500.0 / 8.0;  // g of bin k: counts / this / shell
      double squares = 0.0;                       // of counts over the mean
      for (std::uint32_t k = 0; k < bin_count; ++k) {
        const double g =
            Frames::mean / shell_mean / analysis::shell_volume(layout().bins, k);
        squares += g * g / bin_count;
      }
      const auto levels = analysis::block_length_levels(layout(), blocks, {the_pair});
      std::vector<double> errors;
      for (const analysis::BlockLengthLevel& level : levels) {
        errors.push_back(level.errors[0] / std::sqrt(squares));
      }
      return errors;
    });
    CHECK(ratio > 0.8);
    CHECK(ratio < 1.25);
  }
}

TEST_CASE("a short last block does not distort errors of correlated frames") {
  // The frames of the last block are similar, and underestimate the spread.
  constexpr double memory = 0.8;
  for (const Lengths& lengths :
       {Lengths{100, 100, 1}, Lengths{100, 100, 100, 100, 2}}) {
    CAPTURE(lengths);
    Random random(21);
    const double ratio =
        rms_over_true(random, lengths, memory, [&](const auto& blocks) {
          return g_errors(blocks, analysis::Normalization::pairs_over_volume);
        });
    CHECK(ratio > 0.8);
    CHECK(ratio < 1.25);
  }
}

TEST_CASE("groups of equal length have the errors of the ordinary jackknife") {
  Random random(22);
  for (const std::size_t n : {2U, 3U, 10U, 51U}) {
    CAPTURE(n);
    std::vector<double> above;
    std::vector<double> below;
    for (std::size_t j = 0; j < n; ++j) {
      above.push_back(random.uniform(1.0, 2.0));
      below.push_back(random.uniform(0.1, 3.0));
    }
    const double all_above = std::accumulate(above.begin(), above.end(), 0.0);
    const double all_below = std::accumulate(below.begin(), below.end(), 0.0);
    const auto without = [&](std::size_t j) {
      return (all_above - above[j]) / (all_below - below[j]);
    };
    double mean = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      mean += without(j) / static_cast<double>(n);
    }
    double squares = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      squares += (without(j) - mean) * (without(j) - mean);
    }
    const double ordinary =
        std::sqrt(static_cast<double>(n - 1) / static_cast<double>(n) * squares);
    for (const double frames : {1.0, 100.0}) {
      const std::vector<double> weights(n, frames);
      CHECK(analysis::jackknife_error(weights, without) ==
            Approx(ordinary).epsilon(1e-12));
    }
  }
}

TEST_CASE("groups of weight zero are ignored") {
  const std::vector<double> means{3.0, 5.0, 4.0};
  const auto error = [&](const std::vector<double>& weights) {
    return analysis::jackknife_error(weights, [&](std::size_t j) {
      double sum = 0.0;
      double frames = 0.0;
      for (std::size_t i = 0; i < means.size(); ++i) {
        sum += i == j ? 0.0 : weights[i] * means[i];
        frames += i == j ? 0.0 : weights[i];
      }
      return sum / frames;
    });
  };
  CHECK(error({1.0, 1.0, 0.0}) == Approx(1.0));  // half the difference of 3 and 5
  CHECK(std::isnan(error({1.0, 0.0, 0.0})));
  CHECK(std::isnan(error({0.0, 0.0, 0.0})));
}

TEST_CASE("blocks without a pair do not contribute to its error") {
  Random random(23);
  Frames frames(random, 0.0);
  auto blocks = make_blocks(frames, {10, 10, 10});
  const auto of_three = g_errors(blocks, analysis::Normalization::pairs_over_volume);
  const auto n_of_three = analysis::coordination_errors(layout(), blocks, the_pair);
  BlockCounts none = make_blocks(frames, {10}).front();
  none.index = BlockIndex(3);
  none.particle_number = {0};
  none.pairs = {0};
  none.pairs_over_volume = {0.0};
  none.counts[0].assign(bin_count, 0);
  blocks.push_back(none);
  CHECK(g_errors(blocks, analysis::Normalization::pairs_over_volume) == of_three);
  CHECK(
      g_errors(blocks, analysis::Normalization::per_frame) ==
      g_errors({blocks[0], blocks[1], blocks[2]}, analysis::Normalization::per_frame));
  CHECK(analysis::coordination_errors(layout(), blocks, the_pair) == n_of_three);
  const auto of_one =
      g_errors({blocks[0], blocks[3]}, analysis::Normalization::pairs_over_volume);
  CHECK(std::isnan(of_one[0]));
}

}  // namespace
}  // namespace starhist::testing
