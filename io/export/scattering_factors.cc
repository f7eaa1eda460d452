#include "io/export/scattering_factors.hh"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "codelets/core/analysis/scattering_factor.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "io/particles/element_of_species.hh"
#include "io/particles/elements.hh"

namespace starhist::io {
namespace {

constexpr const char* dummy = "DUMMY";

/// Largest number of species listed in a message.
constexpr std::size_t most_named = 20;

std::optional<double> as_number(const std::string& text) {
  double value = 0.0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

void check_names(const HistogramLayout& layout, const AnalysisRequest& request) {
  for (const auto& [name, element] : request.elements) {
    if (std::find(layout.species.begin(), layout.species.end(), name) ==
        layout.species.end()) {
      throw InputError("--element " + name + "=" + element + ": unknown species " +
                       name + " (known: " + listed(layout.species) + ")" +
                       did_you_mean(name, layout.species));
    }
  }
}

/// Returns the factor that converts q from 1 / length unit to 1/Angstrom. Throws
/// InputError for an unknown unit.
double q_scale(const HistogramLayout& layout) {
  const std::optional<double> angstroms = angstroms_per(layout.length_unit);
  if (!angstroms) {
    throw InputError(
        "X-ray form factors depend on q in 1/Angstrom, and " +
        (layout.length_unit.empty()
             ? std::string("the result has no length unit (give it with --unit)")
             : "the length unit '" + layout.length_unit +
                   "' cannot be converted to Angstrom (give numbers: --element A=1)"));
  }
  return 1.0 / *angstroms;
}

/// Returns element and source of a species; --element overrides the result.
SpeciesElement chosen_element(const HistogramLayout& layout,
                              const AnalysisRequest& request, std::size_t species) {
  const auto given = request.elements.find(layout.species[species]);
  if (given == request.elements.end()) {
    return element_of(layout, species);
  }
  const bool none = given->second == "none" || element_spelling(given->second) == dummy;
  return {none ? dummy : given->second, "--element"};
}

/// Suggests "--element 1=...,2=..." for species with an unknown element.
std::string element_remedy(const std::vector<std::string>& species) {
  std::vector<std::string> entries;
  for (std::size_t s = 0; s < std::min(species.size(), most_named); ++s) {
    entries.push_back(species[s] + "=...");
  }
  return "--element " + join(entries, ",");
}

/// Throws InputError for species without an element or with several.
void check_elements(const HistogramLayout& layout,
                    const std::vector<SpeciesElement>& elements) {
  std::vector<std::string> unknown;
  for (std::size_t s = 0; s < elements.size(); ++s) {
    const std::string& species = layout.species[s];
    if (elements[s].element.empty()) {
      unknown.push_back(species);
    } else if (!is_single(elements[s])) {
      throw InputError(
          "species " + species + " is a mixture of the elements " +
          elements[s].element +
          ", which scatter differently (count with a species for "
          "each element, as starhist rdf --by element makes them, or give " +
          species + " one element or number: --element " + species + "=...)");
    }
  }
  if (!unknown.empty()) {
    throw InputError(
        "the elements of " + listed(unknown) +
        " are not recorded in the result (a label is not an element; give them with " +
        element_remedy(unknown) +
        "; or count again with --aliases or --guess-elements)");
  }
}

class FactorMaker {
 public:
  FactorMaker(const HistogramLayout& layout, const AnalysisRequest& request,
              const analysis::QGrid& grid)
      : layout_(layout), x_ray_(request.weights == Weights::x_ray), grid_(grid) {}

  /// Adds the factors of an element, or a number. Returns false for an unknown element.
  bool add(const SpeciesElement& species, SpeciesFactors& made) {
    const std::string& element = species.element;
    std::vector<double> values(grid_.count);
    if (element == dummy) {
      made.sources.emplace_back("0 (a site without an atom)");
    } else if (const auto number = as_number(element);
               number && species.source == "--element") {
      std::fill(values.begin(), values.end(), *number);
      made.sources.push_back(element);
    } else if (x_ray_) {
      const auto factor = analysis::find_x_ray_factor(element);
      if (!factor) {
        return false;
      }
      const double scale = q_scale(layout_);
      for (std::uint32_t i = 0; i < grid_.count; ++i) {
        values[i] = factor->at(grid_.at(i) * scale);
      }
      beyond_fit_ = grid_.last() * scale > analysis::x_ray_q_limit * (1.0 + 1e-9);
      made.sources.push_back(std::string(factor->label) +
                             " (Waasmaier and Kirfel 1995)");
    } else {
      const auto length = analysis::find_scattering_length(element);
      if (!length) {
        return false;
      }
      std::fill(values.begin(), values.end(), *length);
      made.sources.push_back(element + ", b = " + number_text(*length) +
                             " fm (Rauch and Waschkowski 2003)");
    }
    made.factors.push_back(std::move(values));
    return true;
  }

  bool beyond_fit() const { return beyond_fit_; }

 private:
  const HistogramLayout& layout_;
  bool x_ray_;
  const analysis::QGrid& grid_;
  bool beyond_fit_ = false;
};

/// Describes the elements: "elements: OW = O (the file), MW = none (mass 0)".
std::string elements_note(const HistogramLayout& layout,
                          const std::vector<std::string>& texts) {
  std::vector<std::string> entries;
  for (std::size_t s = 0; s < texts.size(); ++s) {
    entries.push_back(layout.species[s] + " = " + texts[s]);
  }
  return "elements: " + listed(entries);
}

}  // namespace

SpeciesFactors species_factors(const HistogramLayout& layout,
                               const AnalysisRequest& request,
                               const analysis::QGrid& grid) {
  check_names(layout, request);
  SpeciesFactors made;
  const bool x_ray = request.weights == Weights::x_ray;
  made.unit = x_ray ? "electrons^2" : "fm^2";
  std::vector<SpeciesElement> elements;
  for (std::size_t s = 0; s < layout.species.size(); ++s) {
    elements.push_back(chosen_element(layout, request, s));
  }
  check_elements(layout, elements);
  FactorMaker maker(layout, request, grid);
  std::vector<std::string> unknown;
  for (std::size_t s = 0; s < elements.size(); ++s) {
    const SpeciesElement& species = elements[s];
    if (!maker.add(species, made)) {
      const std::string spelling = element_spelling(species.element);
      unknown.push_back(layout.species[s] + "=" + species.element +
                        (spelling.empty() || spelling == species.element
                             ? ""
                             : " (did you mean " + spelling + "?)"));
    }
    made.elements.push_back((species.element == dummy ? "none" : species.element) +
                            " (" + species.source + ")");
  }
  if (!unknown.empty()) {
    throw InputError(
        std::string(x_ray ? "no X-ray form factor" : "no neutron scattering length") +
        " is known for " + join(unknown, ", ") + " (give the element" +
        (x_ray ? ", as in --element OW=O,NA=Na1+"
               : " or an isotope, as in --element OW=O,HW=D,NI=58Ni") +
        ", a number, or none for a site without an atom)");
  }
  made.notes.push_back(elements_note(layout, made.elements));
  if (maker.beyond_fit()) {
    made.notes.push_back("X-ray form factors are fits for q up to " +
                         number_text(analysis::x_ray_q_limit) +
                         "/Angstrom: lower --q-max");
  }
  return made;
}

std::vector<std::pair<std::string, std::string>> sites_without_atom(
    const HistogramLayout& layout, const AnalysisRequest& request) {
  std::vector<std::pair<std::string, std::string>> sites;
  for (std::size_t s = 0; s < layout.species.size(); ++s) {
    const SpeciesElement chosen = chosen_element(layout, request, s);
    if (chosen.element == dummy) {
      sites.emplace_back(layout.species[s], "none (" + chosen.source + ")");
    }
  }
  return sites;
}

}  // namespace starhist::io
