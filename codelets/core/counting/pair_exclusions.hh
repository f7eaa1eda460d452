#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codelets/core/counting/compound_pairs.hh"
#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"

namespace starhist {

/// The particles of a species, the same in all frames.
struct SpeciesMembers {
  std::optional<std::uint64_t> count;  ///< where it is known
  std::vector<std::uint32_t>
      particle;  ///< ascending; empty: none is in another species
  std::vector<std::uint32_t> compound;  ///< residue or molecule of each; or empty
};

/// Which pairs of a layout do not count: those of a particle with itself, where two
/// species share particles, and those that HistogramLayout::exclusion leaves out.
///
/// The kernels know nothing of that. With "same" exclusions they count all pairs, and
/// those of the units are subtracted; with "different" ones these alone are counted. A
/// particle is at distance 0 of itself, so that shared ones are taken from that bin.
class PairExclusions {
 public:
  /// Everything counts, and particle numbers may change.
  PairExclusions() = default;

  /// `members` by species. Throws InternalError when they do not fit to each other, or
  /// lack the units that layout.exclusion asks for. Nothing is kept of them where
  /// everything counts.
  PairExclusions(const HistogramLayout& layout,
                 const std::vector<SpeciesMembers>& members);

  /// Throws InputError when the frame has not the particles that are known.
  void check(const HistogramLayout& layout, const Frame& frame) const;

  /// Pairs of a frame that count, and that do not.
  std::uint64_t counted(const HistogramLayout& layout, const Frame& frame,
                        PairId pair) const;
  std::uint64_t excluded(const HistogramLayout& layout, const Frame& frame,
                         PairId pair) const;
  /// Pairs of a frame that are gone through to count these, but for subtracted ones.
  std::uint64_t work(const HistogramLayout& layout, const Frame& frame) const;

  /// Pairs of a particle with itself that are counted in each frame, at distance 0, and
  /// must be taken away.
  std::uint64_t self_pairs(const HistogramLayout& layout, PairId pair) const;

  /// The pairs within units; empty without an exclusion.
  const CompoundPairs& compounds(PairId pair) const;

 private:
  /// Particles per species, where they are known; empty where everything counts.
  std::vector<std::optional<std::uint64_t>> numbers_;
  std::vector<std::uint64_t> shared_;     ///< per pair: particles of both species
  std::vector<CompoundPairs> compounds_;  ///< per pair, with an exclusion
};

}  // namespace starhist
