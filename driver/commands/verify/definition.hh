#pragma once

#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::driver {

/// Adds the pairs of a frame to the counts of `block` by the defining double loop over
/// particles, on all cores. Excluded pairs are left out pair by pair.
void count_by_definition(const HistogramLayout& layout, const io::TrajectoryInfo& info,
                         const PairExclusions& exclusions, const Frame& frame,
                         BlockCounts& block);

/// Speed of count_by_definition() on pairs of this frame, from a trial of some
/// milliseconds [pairs/s]; 0 if the frame has no pairs.
double definition_speed(const HistogramLayout& layout, const Frame& frame);

}  // namespace starhist::driver
