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

DistributionTerms distribution_terms(const std::vector<BlockCounts>& blocks,
                                     std::size_t b, const ShellVolumes& shells,
                                     PairId pair, const BinRange& range,
                                     Normalization normalization) {
  const BlockCounts& block = blocks[b];
  const std::size_t p = pair.index();
  std::uint64_t counted = 0;
  double shell = 0.0;
  for (std::uint32_t k = range.first; k < range.last; ++k) {
    counted += block.counts[p][k];
    shell += shells.of(b, k);
  }
  const auto count = static_cast<double>(counted);
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
