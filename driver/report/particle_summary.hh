#pragma once

#include <string>

#include "io/particles/particle_table.hh"

namespace starhist::driver {

/// What a selection can go by, for people: a line for each column of the table, with
/// what occurs in it, shortened, after a label in the first 13 characters.
std::string particle_summary(const io::ParticleTable& table);

}  // namespace starhist::driver
