#pragma once

#include "codelets/core/analysis/radial_distribution.hh"

namespace starhist::analysis {

/// What blocks add to g(r) of a bin: it is a ratio of sums of these.
struct DistributionTerms {
  double above = 0.0;
  double below = 0.0;
  double pairs = 0.0;  ///< for mean-volume, whose denominator is a product of sums
  double volume = 0.0;

  DistributionTerms& operator+=(const DistributionTerms& other);
  DistributionTerms without(const DistributionTerms& other) const;
  /// True for a block that adds nothing to g(r): it is no sample of it.
  bool nothing() const { return above == 0.0 && below == 0.0; }
};

/// Those of a block, for bin k with that shell volume.
DistributionTerms distribution_terms(const BlockCounts& block, PairId pair,
                                     std::uint32_t k, double shell,
                                     Normalization normalization);

/// g(r) of the sums of all blocks.
double distribution_value(const DistributionTerms& sum, Normalization normalization);

}  // namespace starhist::analysis
