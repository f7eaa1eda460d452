#include "codelets/core/analysis/integrals/kirkwood_buff.hh"

#include <cmath>
#include <numbers>

#include "codelets/core/analysis/jackknife.hh"

namespace starhist::analysis {
namespace {

/// Volume of a ball, 4/3 pi r^3.
double ball(double r) {
  return 4.0 / 3.0 * std::numbers::pi * r * r * r;
}

}  // namespace

void KirkwoodBuffSums::add(const KirkwoodBuffSums& other, double sign) {
  add_to(counts, other.counts, sign);
  pairs += sign * other.pairs;
  pairs_over_volume += sign * other.pairs_over_volume;
  frames += sign * other.frames;
  volume += sign * other.volume;
}

std::vector<KirkwoodBuffSums> kirkwood_buff_sums(const std::vector<BlockCounts>& blocks,
                                                 PairId pair, std::uint32_t bin_count,
                                                 std::size_t group_count) {
  const BlockGroups groups(blocks.size(), group_count);
  std::vector<KirkwoodBuffSums> sums(groups.groups);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const BlockCounts& block = blocks[b];
    const auto& counts = block.counts[pair.index()];
    KirkwoodBuffSums own;
    own.counts.assign(counts.begin(), counts.begin() + bin_count);
    own.pairs = static_cast<double>(block.pairs[pair.index()]);
    own.pairs_over_volume = block.pairs_over_volume[pair.index()];
    own.frames = block.frames;
    own.volume = block.volume;
    sums[groups.of(b)].add(own);
  }
  return sums;
}

double shell_mean(double inner, double outer, int power) {
  const double volume = std::pow(outer, 3) - std::pow(inner, 3);
  return 3.0 / (power + 3) * (std::pow(outer, power + 3) - std::pow(inner, power + 3)) /
         volume;
}

std::vector<double> excess_volumes(const UniformBins& bins,
                                   const KirkwoodBuffSums& sums,
                                   TailCorrection correction) {
  std::vector<double> values;
  const double volume = sums.volume / sums.frames;
  double within = 0.0;
  for (std::uint32_t k = 0; k < sums.counts.size(); ++k) {
    double excess = sums.counts[k] / sums.pairs_over_volume;  // shell * g
    if (correction == TailCorrection::ganguly) {
      const double half_within = within + 0.5 * sums.counts[k];
      const double half_ball = 0.5 * (ball(bins.edge(k)) + ball(bins.edge(k + 1)));
      excess *= (1.0 - half_ball / volume) / (1.0 - half_within / sums.pairs);
    }
    within += sums.counts[k];
    values.push_back(excess - shell_volume(bins, k));
  }
  return values;
}

KirkwoodBuffCurves kirkwood_buff(const UniformBins& bins, const KirkwoodBuffSums& sums,
                                 TailCorrection correction) {
  KirkwoodBuffCurves curves;
  const std::vector<double> excesses = excess_volumes(bins, sums, correction);
  double sum = 0.0;  // of 4 pi r^2 (g - 1), and of the same times r^3, r^4, r^5
  double sum3 = 0.0;
  double sum4 = 0.0;
  double sum5 = 0.0;
  for (std::uint32_t k = 0; k < excesses.size(); ++k) {
    const double inner = bins.edge(k);
    const double outer = bins.edge(k + 1);
    const double excess = excesses[k];
    sum += excess;
    sum3 += excess * shell_mean(inner, outer, 3);
    sum4 += excess * shell_mean(inner, outer, 4);
    sum5 += excess * shell_mean(inner, outer, 5);
    const double r3 = std::pow(outer, 3);
    const double r4 = r3 * outer;
    const double r5 = r4 * outer;
    curves.plain.push_back(sum);
    curves.krueger.push_back(sum - sum3 / r3);
    curves.krueger_vlugt.push_back(sum - 23.0 / 8.0 * sum3 / r3 + 0.75 * sum4 / r4 +
                                   9.0 / 8.0 * sum5 / r5);
  }
  return curves;
}

}  // namespace starhist::analysis
