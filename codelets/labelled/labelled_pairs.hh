#pragma once

#include <vector>

#include "codelets/core/base/ids.hh"
#include "codelets/kernels/cpu/count_labelled_pairs.hh"

namespace starhist {

/// The species pairs that are counted together, with a label per particle, because each
/// has too few pairs of particles for separate tasks. May be empty.
struct LabelledPairs {
  /// Pairs that one task counts in the frames of a batch. Groups are disjoint.
  struct Group {
    std::vector<kernels::cpu::LabelRun> runs;
    std::vector<PairId> pairs;  ///< by histogram of the runs
  };

  std::vector<SpeciesId> species;  ///< by label
  std::vector<Group> groups;
  std::vector<bool> labelled;  ///< by pair of the layout; empty if no pair is labelled

  bool empty() const { return groups.empty(); }
  bool contains(PairId pair) const { return !empty() && labelled[pair.index()]; }
};

}  // namespace starhist
