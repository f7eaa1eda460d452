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
  std::optional<std::uint64_t> count;  ///< number of particles; empty: unknown
  /// Indices of the particles in the file, ascending; empty: no particle is in another
  /// species.
  std::vector<std::uint32_t> particle;
  /// Number of each particle's residue or molecule; empty without an exclusion.
  std::vector<std::uint32_t> compound;
};

/// Numbers of pairs in a frame, by pair of the layout.
struct PairNumbers {
  std::vector<std::uint64_t> counted;
  std::vector<std::uint64_t> excluded;
  std::uint64_t work = 0;  ///< PairExclusions::work()
};

/// The excluded pairs of a layout: pairs of a particle with itself, if two species
/// share particles, and those that HistogramLayout::exclusion excludes.
///
/// Kernels do not know exclusions. If pairs of the same compound are excluded, kernels
/// count all pairs, and pairs within compounds are subtracted. If pairs of different
/// compounds are excluded, only pairs within compounds are counted. Pairs of a particle
/// with itself are subtracted from the bin of distance 0.
class PairExclusions {
 public:
  /// All pairs count except pairs of a particle with itself
  /// (Frame::shared_particles), and particle numbers may change between frames.
  PairExclusions() = default;

  /// `members` by species. Throws InternalError if they contradict each other or lack
  /// the compounds that layout.exclusion needs. Without any exclusion particle numbers
  /// may change between frames.
  PairExclusions(const HistogramLayout& layout,
                 const std::vector<SpeciesMembers>& members);

  /// Throws InputError if a species of the frame does not have its known number of
  /// particles.
  void check(const HistogramLayout& layout, const Frame& frame) const;

  /// Numbers of pairs in a frame. Throws like check().
  PairNumbers numbers(const HistogramLayout& layout, const Frame& frame) const;
  /// Number of excluded pairs of a frame.
  std::uint64_t excluded(const HistogramLayout& layout, const Frame& frame,
                         PairId pair) const;
  /// Number of pairs of a frame that tasks count, without those that they subtract.
  std::uint64_t work(const HistogramLayout& layout, const Frame& frame) const;

  /// Number of pairs of a particle with itself that are counted in a frame, at distance
  /// 0, and must be subtracted.
  std::uint64_t self_pairs(const HistogramLayout& layout, const Frame& frame,
                           PairId pair) const {
    return self_pairs(layout.exclusion, excluded(layout, frame, pair), pair);
  }
  /// The same number, of a frame with `excluded` excluded pairs.
  std::uint64_t self_pairs(Exclusion exclusion, std::uint64_t excluded,
                           PairId pair) const;

  /// The pairs within compounds; empty without an exclusion.
  const CompoundPairs& compounds(PairId pair) const;

 private:
  /// Number of particles per species, if known; empty if all pairs count.
  std::vector<std::optional<std::uint64_t>> numbers_;
  std::vector<std::uint64_t> shared_;     ///< per pair: number of shared particles
  std::vector<CompoundPairs> compounds_;  ///< per pair, with an exclusion
};

}  // namespace starhist
