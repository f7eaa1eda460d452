#include "codelets/core/analysis/distribution_terms.hh"

namespace starhist::analysis {

DistributionTerms& DistributionTerms::operator+=(const DistributionTerms& other) {
  above += other.above;
  below += other.below;
  pairs += other.pairs;
  volume += other.volume;
  return *this;
}

DistributionTerms DistributionTerms::without(const DistributionTerms& other) const {
  return {above - other.above, below - other.below, pairs - other.pairs,
          volume - other.volume};
}

DistributionTerms distribution_terms(const BlockCounts& block, PairId pair,
                                     std::uint32_t k, double shell,
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
      // A frame without pairs has no g(r); it must not lower the mean.
      return block.pairs[p] > 0 && shell > 0.0
                 ? DistributionTerms{block.frames * count /
                                         (block.pairs_over_volume[p] * shell),
                                     static_cast<double>(block.frames), 0.0, 0.0}
                 : DistributionTerms{};
  }
  return {};
}

double distribution_value(const DistributionTerms& sum, Normalization normalization) {
  return normalization == Normalization::mean_volume
             ? sum.above * sum.volume / (sum.pairs * sum.below)
             : sum.above / sum.below;
}

}  // namespace starhist::analysis
