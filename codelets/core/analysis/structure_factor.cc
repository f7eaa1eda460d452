#include "codelets/core/analysis/structure_factor.hh"

#include <algorithm>
#include <cmath>

#include "codelets/core/analysis/radial_distribution.hh"

namespace starhist::analysis {
namespace {

double self_term(const SpeciesPair& pair) {
  return pair.like() ? 1.0 : 0.0;
}

template <class Combine>
std::vector<double> combine(const std::vector<double>& sums, Combine function) {
  std::vector<double> values(sums.size());
  std::transform(sums.begin(), sums.end(), values.begin(), function);
  return values;
}

}  // namespace

std::vector<double> ashcroft_langreth(const HistogramLayout& layout,
                                      const ScatteringSums& sums, PairId pair) {
  const SpeciesPair species = layout.pairs[pair.index()];
  const double scale =
      neighbours_per_pair(species) / std::sqrt(sums.particles[species.first.index()] *
                                               sums.particles[species.second.index()]);
  return combine(sums.pairs[pair.index()],
                 [&](double sum) { return self_term(species) + scale * sum; });
}

std::vector<double> faber_ziman(const HistogramLayout& layout,
                                const ScatteringSums& sums, PairId pair) {
  const SpeciesPair species = layout.pairs[pair.index()];
  // sqrt(N_A N_B) of Ashcroft and Langreth times sqrt(c_A c_B).
  const double scale =
      neighbours_per_pair(species) * sums.all_particles() /
      (sums.particles[species.first.index()] * sums.particles[species.second.index()]);
  return combine(sums.pairs[pair.index()],
                 [&](double sum) { return 1.0 + scale * sum; });
}

std::vector<std::vector<double>> bhatia_thornton(const HistogramLayout& layout,
                                                 const ScatteringSums& sums) {
  std::vector<std::vector<double>> like(2);
  std::vector<double> unlike;
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    const SpeciesPair pair = layout.pairs[p];
    (pair.like() ? like[pair.first.index()] : unlike) =
        faber_ziman(layout, sums, PairId(p));
  }
  const double c1 = sums.particles[0] / sums.all_particles();
  const double c2 = 1.0 - c1;
  std::vector<std::vector<double>> made(3);
  for (std::size_t i = 0; i < unlike.size(); ++i) {
    const double a11 = like[0][i];
    const double a22 = like[1][i];
    const double a12 = unlike[i];
    made[0].push_back(c1 * c1 * a11 + c2 * c2 * a22 + 2.0 * c1 * c2 * a12);
    made[1].push_back(c1 * c2 * (c1 * (a11 - a12) - c2 * (a22 - a12)));
    made[2].push_back(c1 * c2 * (1.0 + c1 * c2 * (a11 + a22 - 2.0 * a12)));
  }
  return made;
}

std::vector<double> intensity(const HistogramLayout& layout, const ScatteringSums& sums,
                              const ScatteringFactors& factors) {
  std::vector<double> values(sums.pairs.front().size());
  for (std::size_t s = 0; s < layout.species.size(); ++s) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] += sums.particles[s] * factors[s][i] * factors[s][i] / sums.frames;
    }
  }
  for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
    const auto& first = factors[layout.pairs[p].first.index()];
    const auto& second = factors[layout.pairs[p].second.index()];
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] += 2.0 * first[i] * second[i] * sums.pairs[p][i] / sums.frames;
    }
  }
  return values;
}

std::vector<double> intensity_per_particle(const HistogramLayout& layout,
                                           const ScatteringSums& sums,
                                           const ScatteringFactors& factors) {
  std::vector<double> values = intensity(layout, sums, factors);
  for (double& value : values) {
    value *= sums.frames / sums.all_particles();
  }
  return values;
}

std::vector<double> mean_square_factor(const ScatteringSums& sums,
                                       const ScatteringFactors& factors) {
  std::vector<double> mean(factors.front().size());
  for (std::size_t s = 0; s < factors.size(); ++s) {
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i] +=
          sums.particles[s] * factors[s][i] * factors[s][i] / sums.all_particles();
    }
  }
  return mean;
}

std::vector<double> squared_mean_factor(const ScatteringSums& sums,
                                        const ScatteringFactors& factors) {
  std::vector<double> mean(factors.front().size());
  for (std::size_t s = 0; s < factors.size(); ++s) {
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i] += sums.particles[s] * factors[s][i] / sums.all_particles();
    }
  }
  return combine(mean, [](double value) { return value * value; });
}

std::vector<double> total_structure_factor(const HistogramLayout& layout,
                                           const ScatteringSums& sums,
                                           const ScatteringFactors& factors) {
  std::vector<double> total = intensity(layout, sums, factors);
  const std::vector<double> mean_square = mean_square_factor(sums, factors);
  const std::vector<double> squared_mean = squared_mean_factor(sums, factors);
  const double per_frame = sums.all_particles() / sums.frames;
  for (std::size_t i = 0; i < total.size(); ++i) {
    total[i] = 1.0 + (total[i] / per_frame - mean_square[i]) / squared_mean[i];
  }
  return total;
}

std::optional<SpeciesPair> missing_pair(const HistogramLayout& layout) {
  const std::size_t count = layout.species.size();
  std::vector<bool> counted(count * count);  // first species times count, plus second
  for (const SpeciesPair& pair : layout.pairs) {
    counted[pair.first.index() * count + pair.second.index()] = true;
  }
  for (const SpeciesPair& pair : all_pairs(count)) {
    if (!counted[pair.first.index() * count + pair.second.index()]) {
      return pair;
    }
  }
  return std::nullopt;
}

}  // namespace starhist::analysis
