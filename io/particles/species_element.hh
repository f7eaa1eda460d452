#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/counting/histogram.hh"
#include "io/particles/particle_table.hh"

namespace starhist::io {

/// The element of some particles of a table. `file_source`: the source of elements that
/// no rule gave, as "the file". A particle without an element whose mass is 0 is
/// "DUMMY"; words that are no element count as unknown.
SpeciesElement element_of(const ParticleTable& table,
                          const std::vector<std::uint32_t>& particles,
                          const std::string& file_source);

/// The element of the particles of all these species together.
SpeciesElement united(const std::vector<SpeciesElement>& species);

/// The element of a species of a result; unknown where none is recorded.
SpeciesElement element_of(const HistogramLayout& layout, std::size_t species);

/// The species as its elements where its label is the symbol of one, for formats that
/// define their labels as elements: "Cl", but not "CL". `source`: "the file".
std::vector<SpeciesElement> elements_of_labels(const std::vector<std::string>& species,
                                               const std::string& source);

/// The column `element` of particles with such labels: the label where it is the symbol
/// of an element, else ""; empty if no label is one.
std::vector<std::string> element_column(const std::vector<std::string>& labels);

/// Whether all particles have the same known element, or are all dummies.
bool is_single(const SpeciesElement& species);

}  // namespace starhist::io
