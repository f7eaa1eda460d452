#pragma once

#include <memory>

#include "io/particles/structure.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// The frames of `reader`, which has all particles as one species
/// (ReadOptions::per_particle), with the particles of the structure: for formats that
/// name particles by less than a structure does. Throws InputError where these are not
/// equally many.
std::unique_ptr<TrajectoryReader> with_structure(
    std::unique_ptr<TrajectoryReader> reader, const SharedStructure& structure);

}  // namespace starhist::io
