#pragma once

#include <string>

#include "io/particles/particle_table.hh"

namespace starhist::driver {

/// Text that says by what particles can be selected: a line for each column of the
/// table with the values that occur in it, shortened, behind a label of 13 characters.
std::string particle_summary(const io::ParticleTable& table);

}  // namespace starhist::driver
