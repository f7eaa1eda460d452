#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/particles/particle_table.hh"

namespace starhist::io {

/// The element of some particles of a table. `file_source`: the source of elements that
/// no rule gave, as "the file". A particle without an element whose mass is 0 is
/// "DUMMY".
SpeciesElement element_of(const ParticleTable& table,
                          const std::vector<std::uint32_t>& particles,
                          const std::string& file_source);

/// The element of the particles of all these species together.
SpeciesElement united(const std::vector<SpeciesElement>& species);

/// Whether all particles have the same known element, or are all dummies.
bool is_single(const SpeciesElement& species);

}  // namespace starhist::io
