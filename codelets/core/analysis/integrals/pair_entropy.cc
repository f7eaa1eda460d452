#include "codelets/core/analysis/integrals/pair_entropy.hh"

#include <cmath>

#include "codelets/core/analysis/jackknife.hh"

namespace starhist::analysis {

void EntropySums::add(const EntropySums& other, double sign) {
  add_to(counts, other.counts, sign);
  add_to(pairs_over_volume, other.pairs_over_volume, sign);
  add_to(particles, other.particles, sign);
  inverse_volume += sign * other.inverse_volume;
  frames += sign * other.frames;
}

std::vector<EntropySums> entropy_sums(const std::vector<BlockCounts>& blocks,
                                      std::uint32_t bin_count,
                                      std::size_t group_count) {
  const BlockGroups groups(blocks.size(), group_count);
  std::vector<EntropySums> sums(groups.groups);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    EntropySums own;
    for (const auto& counts : blocks[b].counts) {
      own.counts.emplace_back(counts.begin(), counts.begin() + bin_count);
    }
    own.pairs_over_volume = blocks[b].pairs_over_volume;
    for (const std::uint64_t number : blocks[b].particle_number) {
      own.particles.push_back(static_cast<double>(number));
    }
    own.inverse_volume = blocks[b].inverse_volume;
    own.frames = blocks[b].frames;
    sums[groups.of(b)].add(own);
  }
  return sums;
}

std::vector<std::vector<double>> pair_entropy(const HistogramLayout& layout,
                                              const EntropySums& sums) {
  double all = 0.0;
  for (const double number : sums.particles) {
    all += number;
  }
  const double density = all * sums.inverse_volume / (sums.frames * sums.frames);
  std::vector<std::vector<double>> curves;
  for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
    const SpeciesPair pair = layout.pairs[p];
    const double orders = pair.like() ? 1.0 : 2.0;
    const double scale = -0.5 * orders * density * sums.particles[pair.first.index()] *
                         sums.particles[pair.second.index()] / (all * all);
    double sum = 0.0;
    curves.emplace_back();
    if (!(sums.pairs_over_volume[p] > 0.0)) {  // no pair has a distance
      curves.back().assign(sums.counts[p].size(), 0.0);
      continue;
    }
    for (std::uint32_t k = 0; k < sums.counts[p].size(); ++k) {
      const double shell = shell_volume(layout.bins, k);
      const double g = sums.counts[p][k] / (sums.pairs_over_volume[p] * shell);
      sum += shell * (g > 0.0 ? g * std::log(g) - g + 1.0 : 1.0);
      curves.back().push_back(scale * sum);
    }
  }
  return curves;
}

}  // namespace starhist::analysis
