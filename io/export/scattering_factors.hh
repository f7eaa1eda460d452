#pragma once

#include <string>
#include <vector>

#include "codelets/core/analysis/q_grid.hh"
#include "codelets/core/analysis/structure_factor.hh"
#include "io/export/analysis.hh"

namespace starhist::io {

/// What the species scatter with.
struct SpeciesFactors {
  analysis::ScatteringFactors factors;  ///< [species][q]
  std::vector<std::string> sources;     ///< per species: "Na1+ (Waasmaier and Kirfel)"
  std::string unit;                     ///< of I(q): electrons^2 or fm^2
  std::vector<std::string> notes;       ///< sentences for the user
};

/// The element of a species is what --element says, or else its name; a number instead
/// is a factor that does not depend on q. X-ray form factors need a length unit to make
/// 1/Angstrom of q. Throws InputError for species that are no elements, for names that
/// are no species, and where the unit is not known.
SpeciesFactors species_factors(const HistogramLayout& layout,
                               const AnalysisRequest& request,
                               const analysis::QGrid& grid);

}  // namespace starhist::io
