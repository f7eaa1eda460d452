#include "io/export/scattering_factors.hh"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "codelets/core/analysis/scattering_factor.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "io/reader/units.hh"

namespace starhist::io {
namespace {

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
      throw InputError("--element " + name + "=" + element + ": there is no species " +
                       name + " (there are " + listed(layout.species) + ")" +
                       did_you_mean(name, layout.species));
    }
  }
}

/// Factor from q in 1 / length unit to 1/Angstrom. Throws InputError for an unknown
/// unit.
double q_scale(const HistogramLayout& layout) {
  const std::optional<double> angstroms = angstroms_per(layout.length_unit);
  if (!angstroms) {
    throw InputError(
        "X-ray form factors depend on q in 1/Angstrom, and " +
        (layout.length_unit.empty()
             ? std::string("the result does not say its length unit (--unit says it)")
             : "the length unit '" + layout.length_unit +
                   "' cannot be turned into Angstrom (give numbers: --element A=1)"));
  }
  return 1.0 / *angstroms;
}

class FactorMaker {
 public:
  FactorMaker(const HistogramLayout& layout, const AnalysisRequest& request,
              const analysis::QGrid& grid)
      : layout_(layout), x_ray_(request.analysis == Analysis::x_ray), grid_(grid) {}

  /// Adds the factors of an element, or a number. Returns false for an unknown element.
  bool add(const std::string& element, SpeciesFactors& made) {
    std::vector<double> values(grid_.count);
    if (const auto number = as_number(element)) {
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

}  // namespace

SpeciesFactors species_factors(const HistogramLayout& layout,
                               const AnalysisRequest& request,
                               const analysis::QGrid& grid) {
  check_names(layout, request);
  SpeciesFactors made;
  const bool x_ray = request.analysis == Analysis::x_ray;
  made.unit = x_ray ? "electrons^2" : "fm^2";
  FactorMaker maker(layout, request, grid);
  std::vector<std::string> unknown;
  for (const std::string& species : layout.species) {
    const auto given = request.elements.find(species);
    const std::string element =
        given == request.elements.end() ? species : given->second;
    if (!maker.add(element, made)) {
      unknown.push_back(given == request.elements.end() ? species
                                                        : species + "=" + element);
    }
  }
  if (!unknown.empty()) {
    throw InputError(
        std::string(x_ray ? "no X-ray form factor" : "no neutron scattering length") +
        " is known for " + join(unknown, ", ") +
        " (name the element, as in --element OW=O,NA=Na1+, or give a number)");
  }
  if (maker.beyond_fit()) {
    made.notes.push_back("X-ray form factors are fits for q up to " +
                         number_text(analysis::x_ray_q_limit) +
                         "/Angstrom: lower --q-max");
  }
  return made;
}

}  // namespace starhist::io
