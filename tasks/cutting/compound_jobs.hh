#pragma once

#include <vector>

#include "codelets/compound_frame.hh"
#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"

namespace starhist::tasks {

/// A planned task for pairs within compounds: these rows in each of these frames.
struct CompoundJob {
  PairId pair;
  CompoundPairs::Rows rows;
  std::vector<codelets::CompoundFrame> frames;

  /// Number of pairs of particles in all frames.
  std::uint64_t pairs() const { return rows.pairs * frames.size(); }
};

/// Cuts the pairs within compounds, in the frames of a batch, into tasks of about
/// `most_pairs` pairs [>= 1]: frames with few pairs share a task, large ones are split
/// by rows. Each of these pairs is in exactly one task. Empty without an exclusion.
std::vector<CompoundJob> cut_compounds(const HistogramLayout& layout,
                                       const PairExclusions& exclusions,
                                       const std::vector<Frame>& frames,
                                       std::uint64_t most_pairs);

}  // namespace starhist::tasks
