#include "codelets/core/distribution_errors.hh"

#include <limits>

#include "codelets/core/jackknife.hh"

namespace starhist {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// What a block adds to g(r) of a bin: a sum of some of these, over a sum of others.
struct Terms {
  double above = 0.0;
  double below = 0.0;
  double pairs = 0.0;  ///< for mean-volume, whose denominator is a product of sums
  double volume = 0.0;

  Terms& operator+=(const Terms& other) {
    above += other.above;
    below += other.below;
    pairs += other.pairs;
    volume += other.volume;
    return *this;
  }
  Terms without(const Terms& other) const {
    return {above - other.above, below - other.below, pairs - other.pairs,
            volume - other.volume};
  }
};

Terms terms_of(const BlockCounts& block, PairId pair, std::uint32_t k, double shell,
               Normalization normalization) {
  const std::size_t p = pair.index();
  const auto count = static_cast<double>(block.counts[p][k]);
  const auto pairs = static_cast<double>(block.pairs[p]);
  switch (normalization) {
    case Normalization::pairs_over_volume:
      return {count, block.pairs_over_volume[p] * shell, 0.0, 0.0};
    case Normalization::mean_volume:
      return {count, block.frames * shell, pairs, block.volume};
    case Normalization::per_frame:
      return block.pairs[p] > 0 && shell > 0.0
                 ? Terms{block.frames * count / (block.pairs_over_volume[p] * shell),
                         static_cast<double>(block.frames), 0.0, 0.0}
                 : Terms{};
  }
  return {};
}

double value_of(const Terms& sum, Normalization normalization) {
  return normalization == Normalization::mean_volume
             ? sum.above * sum.volume / (sum.pairs * sum.below)
             : sum.above / sum.below;
}

}  // namespace

std::vector<double> radial_distribution_errors(const HistogramLayout& layout,
                                               const std::vector<BlockCounts>& blocks,
                                               const ShellVolumes& shells, PairId pair,
                                               Normalization normalization) {
  std::vector<double> errors(layout.bins.count, not_a_number);
  std::vector<Terms> terms(blocks.size());
  for (std::uint32_t k = 0; k < shells.defined(); ++k) {
    Terms all;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      terms[b] = terms_of(blocks[b], pair, k, shells.of(b, k), normalization);
      all += terms[b];
    }
    errors[k] = jackknife_error(blocks.size(), [&](std::size_t b) {
      return value_of(all.without(terms[b]), normalization);
    });
  }
  return errors;
}

std::vector<std::vector<double>> coordination_errors(
    const HistogramLayout& layout, const std::vector<BlockCounts>& blocks,
    PairId pair) {
  const SpeciesPair species = layout.pairs[pair.index()];
  std::vector<SpeciesId> centres{species.first};
  if (!species.like()) {
    centres.push_back(species.second);
  }
  std::vector<std::vector<double>> errors;
  for (const SpeciesId centre : centres) {
    const double neighbours_per_pair = species.like() ? 2.0 : 1.0;
    std::vector<double> within(blocks.size());
    std::vector<double> around(blocks.size());
    double all_around = 0.0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      around[b] = static_cast<double>(blocks[b].particle_number[centre.index()]);
      all_around += around[b];
    }
    double all_within = 0.0;
    errors.emplace_back();
    for (std::uint32_t k = 0; k < layout.bins.count; ++k) {
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        const auto count = static_cast<double>(blocks[b].counts[pair.index()][k]);
        within[b] += count;
        all_within += count;
      }
      errors.back().push_back(jackknife_error(blocks.size(), [&](std::size_t b) {
        return neighbours_per_pair * (all_within - within[b]) /
               (all_around - around[b]);
      }));
    }
  }
  return errors;
}

}  // namespace starhist
