#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/counting/histogram.hh"
#include "io/particles/particle_table.hh"

namespace starhist::io {

/// Returns the element of the given particles of a table. `file_source`: source to
/// report for elements from the file, such as "the file". A particle with mass 0, no
/// element and no name that begins like an atom's is a "DUMMY"; words that are not
/// element symbols count as unknown.
SpeciesElement element_of(const ParticleTable& table,
                          const std::vector<std::uint32_t>& particles,
                          const std::string& file_source);

/// Returns the combined elements of all these species.
SpeciesElement united(const std::vector<SpeciesElement>& species);

/// Returns the element of a species of a result; unknown if it is not recorded.
SpeciesElement element_of(const HistogramLayout& layout, std::size_t species);

/// Returns the elements of species for formats that define labels as element symbols: a
/// label that is exactly a symbol ("Cl", but not "CL"). `source`: "the file".
std::vector<SpeciesElement> elements_of_labels(const std::vector<std::string>& species,
                                               const std::string& source);

/// Returns the column `element` for particles with such labels: the label if it is an
/// element symbol, otherwise ""; empty if no label is one.
std::vector<std::string> element_column(const std::vector<std::string>& labels);

/// Whether all particles have the same known element, or all are dummies.
bool is_single(const SpeciesElement& species);

}  // namespace starhist::io
