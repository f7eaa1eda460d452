#pragma once

#include <cstdint>
#include <vector>

#include "codelets/core/base/contract.hh"
#include "codelets/core/counting/histogram.hh"

namespace starhist {

/// The address of counts between two frames. A channel is a species pair with a lag: it
/// pairs particles of the first species in the origin, frame t - lag, with particles of
/// the second species in frame t. Lag 0 counts the pairs of one frame, as without lags.
///
/// Counters know no lags: they pair particle sets, which take the place of species.
/// Channels are numbered lag by lag, in the order of the species pairs.
struct LagLayout {
  HistogramLayout pairs;            ///< layout of each lag
  std::vector<std::uint64_t> lags;  ///< ascending, each once [frames]

  std::size_t channel_count() const { return lags.size() * pairs.pairs.size(); }
  std::size_t channel(std::size_t lag, PairId pair) const {
    STARHIST_EXPECT(lag < lags.size() && pair.index() < pairs.pairs.size(),
                    "the layout has this lag and pair");
    return lag * pairs.pairs.size() + pair.index();
  }
  /// Set of a species in the origin of a lag, and in frame t.
  SpeciesId origin_set(std::size_t lag, SpeciesId species) const;
  SpeciesId later_set(SpeciesId species) const;
  /// Index of a species and a lag in LaggedBlock::displacements.
  std::size_t displacement(std::size_t lag, SpeciesId species) const {
    STARHIST_EXPECT(lag < lags.size() && species.index() < pairs.species.size(),
                    "the layout has this lag and species");
    return lag * pairs.species.size() + species.index();
  }
};

/// The channels as pairs of the same species, one pair per channel, for files and
/// analysis.
HistogramLayout channels_of(const LagLayout& layout);

/// The channels as pairs of particle sets, one pair per channel, for counters. The
/// species of this layout are the origin sets lag by lag, then the sets of frame t.
HistogramLayout sets_of(const LagLayout& layout);

/// Displacements of the particles of one species over one lag, summed over frames.
/// Invariant: underflow + sum of counts + out_of_range == particles.
struct DisplacementCounts {
  std::uint64_t frames = 0;           ///< number of frames t with an origin
  double time = 0.0;                  ///< sum of their time differences; NaN if unknown
  std::uint64_t particles = 0;        ///< number of displacements
  double squares = 0.0;               ///< sum of squared lengths [length unit^2]
  std::vector<std::uint64_t> counts;  ///< one entry per bin
  std::uint64_t underflow = 0;        ///< displacements shorter than r_min
  std::uint64_t out_of_range = 0;     ///< displacements of at least r_max
};

/// The counts of a block between frames. `pairs` has one entry per channel, without
/// pairs of a particle with itself, which are its excluded pairs. Its frames are the
/// later ones of each channel, its volumes theirs.
struct LaggedBlock {
  BlockCounts pairs;
  std::vector<DisplacementCounts> displacements;  ///< per lag and species
};

/// Displacements of a block without frames.
std::vector<DisplacementCounts> empty_displacements(const LagLayout& layout);

/// Adds the displacements of a later block.
void add_displacements(const std::vector<DisplacementCounts>& block,
                       std::vector<DisplacementCounts>& sum);

/// True if the invariant holds; false for sums that overflow.
bool adds_up(const DisplacementCounts& displacements);

}  // namespace starhist
