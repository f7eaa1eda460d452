#include "codelets/core/analysis/distribution_errors.hh"

#include <limits>
#include <numeric>

#include "codelets/core/analysis/jackknife.hh"
#include "codelets/core/analysis/radial_distribution.hh"

namespace starhist::analysis {

std::vector<double> radial_distribution_errors(const HistogramLayout& layout,
                                               const std::vector<BlockCounts>& blocks,
                                               const ShellVolumes& shells, PairId pair,
                                               Normalization normalization) {
  return radial_distribution_errors(blocks, shells, pair, normalization,
                                    bin_ranges(layout.bins, {}));
}

std::vector<double> radial_distribution_errors(const std::vector<BlockCounts>& blocks,
                                               const ShellVolumes& shells, PairId pair,
                                               Normalization normalization,
                                               const std::vector<BinRange>& ranges) {
  std::vector<double> errors(ranges.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<DistributionTerms> terms(blocks.size());
  std::vector<double> weights(blocks.size());
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].last > shells.defined()) {
      continue;
    }
    DistributionTerms all;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      terms[b] = distribution_terms(blocks, b, shells, pair, ranges[i], normalization);
      weights[b] = terms[b].nothing() ? 0.0 : blocks[b].frames;
      all.add(terms[b]);
    }
    errors[i] = jackknife_error(weights, [&](std::size_t b) {
      return distribution_value(without(all, terms[b]), normalization);
    });
  }
  return errors;
}

std::vector<std::vector<double>> coordination_errors(
    const HistogramLayout& layout, const std::vector<BlockCounts>& blocks,
    PairId pair) {
  const SpeciesPair species = layout.pairs[pair.index()];
  const std::uint32_t defined = coordination_bins(layout, total(blocks));
  std::vector<std::vector<double>> errors;
  for (const Coordination& direction : coordination_directions(species)) {
    std::vector<double> within(blocks.size());
    std::vector<double> around(blocks.size());
    std::vector<double> weights(blocks.size());
    double all_around = 0.0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      around[b] =
          static_cast<double>(blocks[b].particle_number[direction.centre.index()]);
      within[b] = static_cast<double>(blocks[b].underflow[pair.index()]);
      weights[b] = around[b] > 0.0 ? blocks[b].frames : 0.0;
      all_around += around[b];
    }
    double all_within = std::accumulate(within.begin(), within.end(), 0.0);
    errors.emplace_back();
    for (std::uint32_t k = 0; k < defined; ++k) {
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        const auto count = static_cast<double>(blocks[b].counts[pair.index()][k]);
        within[b] += count;
        all_within += count;
      }
      errors.back().push_back(jackknife_error(weights, [&](std::size_t b) {
        return neighbours_per_pair(species) * (all_within - within[b]) /
               (all_around - around[b]);
      }));
    }
    errors.back().resize(layout.bins.count, std::numeric_limits<double>::quiet_NaN());
  }
  return errors;
}

}  // namespace starhist::analysis
