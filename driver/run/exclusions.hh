#pragma once

#include "codelets/core/counting/pair_exclusions.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::driver {

/// The excluded pairs, from TrajectoryInfo::members. Throws InputError if the layout's
/// exclusion needs residues or molecules that the trajectory does not have.
PairExclusions make_exclusions(const HistogramLayout& layout,
                               const io::TrajectoryInfo& info);

/// Line for summaries: "12 pairs of the same molecule are left out"; "" without an
/// exclusion and excluded pairs.
std::string exclusion_sentence(Exclusion exclusion, std::uint64_t excluded_pairs);

}  // namespace starhist::driver
