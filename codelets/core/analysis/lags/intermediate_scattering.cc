#include "codelets/core/analysis/lags/intermediate_scattering.hh"

#include <cmath>

#include "codelets/core/analysis/jackknife.hh"
#include "codelets/core/analysis/sine_transform.hh"

namespace starhist::analysis {
namespace {

/// Sets frames, particles and self parts from the displacements.
void add_displacements_to(
    std::vector<std::vector<IntermediateSums>>& sums, const LagLayout& layout,
    const std::vector<std::vector<DisplacementCounts>>& displacements,
    const QGrid& grid) {
  const UniformBins& bins = layout.pairs.bins;
  const auto species = static_cast<std::uint32_t>(layout.pairs.species.size());
  const std::size_t group_count = sums.front().size();
  const BlockGroups groups(displacements.size(), group_count);
  std::vector<std::vector<double>> curves(layout.lags.size() * species * group_count,
                                          std::vector<double>(bins.count));
  for (std::size_t lag = 0; lag < layout.lags.size(); ++lag) {
    for (IntermediateSums& group : sums[lag]) {
      group.distinct.particles.resize(species);
    }
    for (std::size_t b = 0; b < displacements.size(); ++b) {
      IntermediateSums& group = sums[lag][groups.of(b)];
      for (std::uint32_t s = 0; s < species; ++s) {
        const std::size_t index = layout.displacement(lag, SpeciesId(s));
        const DisplacementCounts& own = displacements[b][index];
        group.distinct.frames += s == 0 ? static_cast<double>(own.frames) : 0.0;
        group.distinct.particles[s] += static_cast<double>(own.particles);
        std::vector<double>& curve = curves[index * group_count + groups.of(b)];
        for (std::size_t k = 0; k < curve.size(); ++k) {
          curve[k] += static_cast<double>(own.counts[k]);
        }
      }
    }
  }
  auto transforms = sine_transforms(bins, bins.count, grid, curves);
  for (std::size_t lag = 0; lag < layout.lags.size(); ++lag) {
    for (std::size_t g = 0; g < group_count; ++g) {
      for (std::uint32_t s = 0; s < species; ++s) {
        const std::size_t index = layout.displacement(lag, SpeciesId(s));
        auto& values = transforms[index * group_count + g];
        if (layout.lags[lag] == 0) {  // no particle has moved; bins know it to a width
          values.assign(grid.count, sums[lag][g].distinct.particles[s]);
        }
        sums[lag][g].self.push_back(std::move(values));
      }
    }
  }
}

/// F_s - 1: the part that a function at t = 0 lacks.
double lost_self(const IntermediateSums& sums, std::size_t species, std::size_t q) {
  return sums.self[species][q] / sums.distinct.particles[species] - 1.0;
}

}  // namespace

void IntermediateSums::add(const IntermediateSums& other, double sign) {
  distinct.add(other.distinct, sign);
  add_to(self, other.self, sign);
}

std::vector<std::vector<IntermediateSums>> intermediate_sums(
    const LagLayout& layout, const std::vector<BlockCounts>& blocks,
    const std::vector<std::vector<DisplacementCounts>>& displacements,
    const PairSum& how, const QGrid& grid, const std::vector<LagBlocks>& of_lags) {
  std::vector<ScatteringSums> groups = scattering_sums(
      channels_of(layout), blocks, how, grid, of_lags.front().joined.size());
  std::vector<std::vector<IntermediateSums>> sums(
      layout.lags.size(), std::vector<IntermediateSums>(groups.size()));
  for (std::size_t lag = 0; lag < layout.lags.size(); ++lag) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (std::uint32_t p = 0; p < layout.pairs.pairs.size(); ++p) {
        std::vector<double>& sum = groups[g].pairs[layout.channel(lag, PairId(p))];
        if (layout.lags[lag] > 0 && layout.pairs.pairs[p].like()) {
          for (double& value : sum) {
            value *= 0.5;  // i, j and j, i are counted
          }
        }
        sums[lag][g].distinct.pairs.push_back(std::move(sum));
      }
    }
  }
  add_displacements_to(sums, layout, displacements, grid);
  for (std::size_t lag = 0; lag < sums.size(); ++lag) {
    sums[lag] = of_lags[lag].sums(sums[lag]);
  }
  return sums;
}

std::vector<double> self_intermediate(const IntermediateSums& sums, SpeciesId species) {
  std::vector<double> values = sums.self[species.index()];
  for (double& value : values) {
    value /= sums.distinct.particles[species.index()];
  }
  return values;
}

std::vector<double> partial_intermediate(const HistogramLayout& pairs,
                                         const IntermediateSums& sums, PairId pair) {
  std::vector<double> values = ashcroft_langreth(pairs, sums.distinct, pair);
  const SpeciesPair species = pairs.pairs[pair.index()];
  for (std::size_t i = 0; species.like() && i < values.size(); ++i) {
    values[i] += lost_self(sums, species.first.index(), i);
  }
  return values;
}

std::vector<double> distinct_intermediate(const HistogramLayout& pairs,
                                          const IntermediateSums& sums, PairId pair) {
  std::vector<double> values = ashcroft_langreth(pairs, sums.distinct, pair);
  for (double& value : values) {
    value -= pairs.pairs[pair.index()].like() ? 1.0 : 0.0;
  }
  return values;
}

std::vector<double> total_intermediate(const HistogramLayout& pairs,
                                       const IntermediateSums& sums) {
  const std::size_t points = sums.self.front().size();
  const ScatteringFactors ones(pairs.species.size(), std::vector<double>(points, 1.0));
  std::vector<double> values = total_structure_factor(pairs, sums.distinct, ones);
  for (std::size_t s = 0; s < pairs.species.size(); ++s) {
    const double share = sums.distinct.particles[s] / sums.distinct.all_particles();
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] += share * lost_self(sums, s, i);
    }
  }
  return values;
}

std::vector<double> intermediate_intensity(const HistogramLayout& pairs,
                                           const IntermediateSums& sums,
                                           const ScatteringFactors& factors) {
  std::vector<double> values = intensity_per_particle(pairs, sums.distinct, factors);
  for (std::size_t s = 0; s < pairs.species.size(); ++s) {
    const double share = sums.distinct.particles[s] / sums.distinct.all_particles();
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] += share * factors[s][i] * factors[s][i] * lost_self(sums, s, i);
    }
  }
  return values;
}

}  // namespace starhist::analysis
