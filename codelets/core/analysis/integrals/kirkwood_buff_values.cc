#include "codelets/core/analysis/integrals/kirkwood_buff_values.hh"

#include "codelets/core/analysis/jackknife.hh"

namespace starhist::analysis {
namespace {

/// Least-squares line through points (x, y).
class Line {
 public:
  void add(double x, double y) {
    n_ += 1.0;
    x_ += x;
    y_ += y;
    xx_ += x * x;
    xy_ += x * y;
  }
  double intercept() const { return (y_ * xx_ - x_ * xy_) / (n_ * xx_ - x_ * x_); }

 private:
  double n_ = 0.0;
  double x_ = 0.0;
  double y_ = 0.0;
  double xx_ = 0.0;
  double xy_ = 0.0;
};

double extrapolated(const UniformBins& bins, const std::vector<double>& excess,
                    const KirkwoodBuffRanges& ranges) {
  // Sums of the excess, and of the excess times r and r^3.
  double sum = 0.0;
  double sum1 = 0.0;
  double sum3 = 0.0;
  Line line;
  for (std::uint32_t k = 0; k < ranges.largest; ++k) {
    sum += excess[k];
    sum1 += excess[k] * shell_mean(bins.edge(k), bins.edge(k + 1), 1);
    sum3 += excess[k] * shell_mean(bins.edge(k), bins.edge(k + 1), 3);
    if (k + 1 >= ranges.smallest) {
      const double diameter = bins.edge(k + 1);
      line.add(1.0 / diameter, sum - 1.5 * sum1 / diameter +
                                   0.5 * sum3 / (diameter * diameter * diameter));
    }
  }
  return line.intercept();
}

double with_shifted_tail(const UniformBins& bins, const std::vector<double>& excess,
                         std::uint32_t tail) {
  double tail_excess = 0.0;
  double tail_volume = 0.0;
  double all_excess = 0.0;
  double all_volume = 0.0;
  for (std::uint32_t k = 0; k < excess.size(); ++k) {
    all_excess += excess[k];
    all_volume += shell_volume(bins, k);
    if (k >= tail) {
      tail_excess += excess[k];
      tail_volume += shell_volume(bins, k);
    }
  }
  const double level = 1.0 + tail_excess / tail_volume;
  return (all_excess + all_volume) / level - all_volume;
}

}  // namespace

KirkwoodBuffValues kirkwood_buff_values(const UniformBins& bins,
                                        const KirkwoodBuffSums& sums,
                                        TailCorrection correction,
                                        const KirkwoodBuffRanges& ranges) {
  const KirkwoodBuffCurves curves = kirkwood_buff(bins, sums, correction);
  const std::vector<double> excess = excess_volumes(bins, sums, correction);
  return {curves.plain.back(), curves.krueger.back(), curves.krueger_vlugt.back(),
          with_shifted_tail(bins, excess, ranges.tail),
          extrapolated(bins, excess, ranges)};
}

void MixtureSums::add(const MixtureSums& other, double sign) {
  pairs.resize(other.pairs.size());
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    pairs[p].add(other.pairs[p], sign);
  }
  add_to(particles, other.particles, sign);
  frames += sign * other.frames;
  volume += sign * other.volume;
}

std::vector<MixtureSums> mixture_sums(const std::vector<BlockCounts>& blocks,
                                      const std::vector<PairId>& pairs,
                                      std::uint32_t bin_count,
                                      std::size_t group_count) {
  const BlockGroups groups(blocks.size(), group_count);
  std::vector<MixtureSums> sums(groups.groups);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    MixtureSums own;
    for (const PairId pair : pairs) {
      own.pairs.push_back(kirkwood_buff_sums({blocks[b]}, pair, bin_count, 1).front());
    }
    for (const std::uint64_t number : blocks[b].particle_number) {
      own.particles.push_back(static_cast<double>(number));
    }
    own.frames = blocks[b].frames;
    own.volume = blocks[b].volume;
    sums[groups.of(b)].add(own);
  }
  return sums;
}

BinaryMixture binary_mixture(double rho_1, double rho_2, double g_11, double g_12,
                             double g_22) {
  const double eta = rho_1 + rho_2 + rho_1 * rho_2 * (g_11 + g_22 - 2.0 * g_12);
  const double zeta =
      1.0 + rho_1 * g_11 + rho_2 * g_22 + rho_1 * rho_2 * (g_11 * g_22 - g_12 * g_12);
  BinaryMixture mixture;
  mixture.thermodynamic_factor = (rho_1 + rho_2) / eta;
  mixture.activity_1 = 1.0 / (1.0 + rho_1 * (g_11 - g_12));
  mixture.activity_2 = 1.0 / (1.0 + rho_2 * (g_22 - g_12));
  mixture.volume_1 = (1.0 + rho_2 * (g_22 - g_12)) / eta;
  mixture.volume_2 = (1.0 + rho_1 * (g_11 - g_12)) / eta;
  mixture.compressibility = zeta / eta;
  return mixture;
}

}  // namespace starhist::analysis
