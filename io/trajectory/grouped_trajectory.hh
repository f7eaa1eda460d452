#pragma once

#include <memory>
#include <vector>

#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// Makes species of groups of a trajectory's species; the remaining species are left
/// out. For rules that do not refer to single particles. Throws InputError when a group
/// names a species that the file does not have.
std::unique_ptr<TrajectoryReader> with_species_grouped(
    std::unique_ptr<TrajectoryReader> reader, const std::vector<SpeciesGroup>& groups);

}  // namespace starhist::io
