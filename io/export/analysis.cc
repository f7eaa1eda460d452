#include "io/export/analysis.hh"

#include <algorithm>
#include <array>
#include <cmath>

#include "codelets/core/analysis/structure_factor.hh"
#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "io/export/analysis_quantities.hh"
#include "io/export/export_columns.hh"

namespace starhist::io {
namespace {

// In the order of the enumerations.
constexpr std::array partials_names{"faber-ziman", "ashcroft-langreth",
                                    "bhatia-thornton"};
constexpr std::array weights_names{"number", "xray", "neutron"};
constexpr std::array window_names{"none", "lorch", "hann"};
constexpr std::array correction_names{"none", "ganguly"};

/// Throws InputError if the result lacks counts that the quantity needs.
void check_counts(const ResultFile& result, const AnalysisRequest& request) {
  const CountsNeeded needs = request.quantity->needs;
  const std::string quantity =
      std::string("the quantity '") + request.quantity->name + "'";
  check_has_blocks(result);
  if (needs >= CountsNeeded::in_space) {
    check_in_space(result, quantity);
    check_bins_of_equal_width(result, quantity);
  }
  if (needs >= CountsNeeded::from_zero) {
    check_counted_from_zero(result);
  }
  if (needs >= CountsNeeded::all_pairs) {
    check_all_pairs_counted(result);
  }
  if (needs >= CountsNeeded::all_species_pairs) {
    check_all_species_pairs(result, request, quantity);
  }
  if (request.errors) {
    check_blocks_for_errors(result);
  }
}

}  // namespace

bool accepts(const AnalysisQuantity& quantity, const std::string& option) {
  const std::string words = std::string(" ") + quantity.options + " ";
  return words.find(" " + option + " ") != std::string::npos;
}

Partials parse_partials(const std::string& name) {
  return find_value<Partials>(partials_names, name, "kind of partials");
}

std::string to_string(Partials partials) {
  return partials_names[static_cast<std::size_t>(partials)];
}

Weights parse_weights(const std::string& name) {
  return find_value<Weights>(weights_names, name, "kind of weights");
}

std::string to_string(Weights weights) {
  return weights_names[static_cast<std::size_t>(weights)];
}

analysis::Window parse_window(const std::string& name) {
  return find_value<analysis::Window>(window_names, name, "window");
}

std::string to_string(analysis::Window window) {
  return window_names[static_cast<std::size_t>(window)];
}

analysis::TailCorrection parse_tail_correction(const std::string& name) {
  return find_value<analysis::TailCorrection>(correction_names, name, "correction");
}

void check_all_species_pairs(const ResultFile& result, const AnalysisRequest& request,
                             const std::string& quantity) {
  if (!request.pairs.empty()) {
    throw InputError(quantity +
                     " is a sum over all pairs: --pairs has no meaning for it");
  }
  if (const auto missing = analysis::missing_pair(result.layout)) {
    throw InputError(quantity + " needs all pairs of species, but " +
                     pair_name(*missing, result.layout.species) +
                     " was not counted in " + result.path);
  }
}

std::vector<double> charges_of(AnalysisTable& made, const HistogramLayout& layout,
                               const AnalysisRequest& request) {
  for (const auto& [name, charge] : request.charges) {
    if (std::find(layout.species.begin(), layout.species.end(), name) ==
        layout.species.end()) {
      throw InputError("--charges names the unknown species " + name +
                       " (known: " + listed(layout.species) + ")" +
                       did_you_mean(name, layout.species));
    }
  }
  std::vector<double> charges;
  std::vector<std::string> missing;
  for (const std::string& species : layout.species) {
    const auto given = request.charges.find(species);
    if (given == request.charges.end()) {
      missing.push_back(species + "=...");
    } else {
      charges.push_back(given->second);
      made.table.facts.push_back(number_fact("charge of " + species, given->second));
    }
  }
  if (!missing.empty()) {
    throw InputError("the charge of each species is needed: --charges " +
                     join(missing, ","));
  }
  return charges;
}

std::uint32_t bins_below(const ResultFile& result, const std::string& option,
                         double length, std::uint32_t limit, const std::string& why) {
  const UniformBins bins = result.layout.bins;
  const double exact = length / bins.width();
  const double whole = std::round(exact);
  if (!(whole >= 1.0) || std::abs(exact - whole) > 1e-9 * whole) {
    throw InputError(option + " " + number_text(length) +
                     " is not a bin edge (bins are " + decimal_text(bins.width()) +
                     " wide: give a multiple of that)");
  }
  if (whole > limit) {
    const std::string unit = unit_suffix(result.layout.length_unit);
    const std::string end = decimal_text(bins.edge(limit)) + unit;
    throw InputError(option + " " + number_text(length) + unit + " is beyond " + end +
                     (limit == bins.count ? ", the largest distance of " + result.path +
                                                " (count with a larger --r-max)"
                                          : ", " + why));
  }
  return static_cast<std::uint32_t>(whole);
}

std::uint32_t bins_below_cut(const ResultFile& result, std::optional<double> r_cut,
                             std::uint32_t limit, const std::string& why) {
  return r_cut ? bins_below(result, "--r-cut", *r_cut, limit, why) : limit;
}

std::vector<std::string> write_analysis(std::ostream& out, const ResultFile& result,
                                        const AnalysisRequest& request) {
  check_counts(result, request);
  if (request.table) {
    return write_kirkwood_buff_values(out, result, request);
  }
  AnalysisTable made = request.quantity->make_table(result, request);
  if (request.errors) {
    add_error_caveat(result, request.pairs, made.table, made.notes);
  }
  if (!request.experiment.empty()) {
    compare_with_experiment(made, result, request);
  }
  add_small_q_caveat(made, result.layout.length_unit);
  made.table.source = result.path;
  made.table.length_unit = result.layout.length_unit;
  write_table(out, made.table, request.format, made.notes);
  return made.notes;
}

}  // namespace starhist::io
