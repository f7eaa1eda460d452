#pragma once

#include <string>
#include <utility>
#include <vector>

#include "codelets/core/analysis/q_grid.hh"
#include "codelets/core/analysis/structure_factor.hh"
#include "io/export/analysis.hh"

namespace starhist::io {

/// Form factors or scattering lengths of the species.
struct SpeciesFactors {
  analysis::ScatteringFactors factors;  ///< [species][q]
  std::vector<std::string> sources;     ///< per species: "Na1+ (Waasmaier and Kirfel)"
  std::vector<std::string> elements;    ///< per species: "Na1+ (--element)"
  std::string unit;                     ///< unit of I(q): electrons^2 or fm^2
  std::vector<std::string> notes;       ///< messages for the user
};

/// Returns the factors of AnalysisRequest::weights, which are not Weights::number, for
/// the wave numbers of `grid`. The element of a species is
/// taken from AnalysisRequest::elements or, if it is missing there, from the result,
/// never from its label; a number in AnalysisRequest::elements is a factor that does
/// not depend on q. X-ray form factors depend on q in 1/Angstrom, so they need a known
/// length unit. Throws InputError for species without an element or with several, for
/// unknown elements and species, and for an unknown unit.
SpeciesFactors species_factors(const HistogramLayout& layout,
                               const AnalysisRequest& request,
                               const analysis::QGrid& grid);

/// Species without an atom, by AnalysisRequest::elements or the result, and the sources
/// of this: "MW", "none (mass 0)".
std::vector<std::pair<std::string, std::string>> sites_without_atom(
    const HistogramLayout& layout, const AnalysisRequest& request);

}  // namespace starhist::io
