#pragma once

#include <cstdint>
#include <vector>

#include "codelets/core/counting/coordination.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "driver/axes/particle_directions.hh"
#include "io/reader/trajectory_reader.hh"

// Counts by the defining double loop over particles, on all cores. Excluded pairs are
// left out pair by pair.

namespace starhist::driver {

/// Adds the pairs of a frame to the counts of `block` by distance.
void count_by_definition(const HistogramLayout& layout, const io::TrajectoryInfo& info,
                         const PairExclusions& exclusions, const Frame& frame,
                         BlockCounts& block);

/// Adds the pairs of a frame to the counts of `block` by distance and second axis.
/// `vectors`: of this frame; null unless the axis is molecular.
void count_second_by_definition(const HistogramLayout& layout,
                                const io::TrajectoryInfo& info,
                                const PairExclusions& exclusions,
                                const ParticleDirections* vectors, const Frame& frame,
                                BlockCounts& block);

/// Numbers of neighbours by particle of the shell's centre species in a frame.
std::vector<std::uint32_t> neighbours_by_definition(const NeighbourShell& shell,
                                                    Exclusion exclusion,
                                                    const io::TrajectoryInfo& info,
                                                    const Frame& frame);

/// Speed of the definition on pairs of this frame, from a trial of some milliseconds
/// [pairs/s]; 0 if the frame has no pairs.
double definition_speed(const std::vector<SpeciesPair>& species_pairs,
                        const UniformBins& bins_of_result, const Frame& frame);

}  // namespace starhist::driver
