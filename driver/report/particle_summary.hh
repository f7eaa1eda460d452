#pragma once

#include <string>

#include "io/particles/particle_table.hh"

namespace starhist::driver {

/// Lists the particle properties that can be used for selection: a line for each column
/// of the table with the values that occur in it, shortened, after a label of 13
/// characters.
std::string particle_summary(const io::ParticleTable& table);

}  // namespace starhist::driver
