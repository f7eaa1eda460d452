#pragma once

#include "codelets/core/analysis/radial_distribution.hh"

namespace starhist::analysis {

/// Terms of a block in g(r) of a bin, which is a ratio of sums of terms over the
/// blocks.
struct DistributionTerms {
  double above = 0.0;   ///< term of the numerator
  double below = 0.0;   ///< term of the denominator
  double pairs = 0.0;   ///< mean_volume only: sum of pairs
  double volume = 0.0;  ///< mean_volume only: sum of volumes

  DistributionTerms& operator+=(const DistributionTerms& other);
  /// Difference, for example the terms of all blocks but one from a sum.
  DistributionTerms without(const DistributionTerms& other) const;
  /// True for a block that adds nothing to g(r), and thus is not a sample of it.
  bool nothing() const { return above == 0.0 && below == 0.0; }
};

/// The terms of block b for a range of bins [first, last) below shells.defined().
DistributionTerms distribution_terms(const std::vector<BlockCounts>& blocks,
                                     std::size_t b, const ShellVolumes& shells,
                                     PairId pair, const BinRange& range,
                                     Normalization normalization);

/// g(r) from the sum of the terms of all blocks.
double distribution_value(const DistributionTerms& sum, Normalization normalization);

}  // namespace starhist::analysis
