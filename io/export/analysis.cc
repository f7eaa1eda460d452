#include "io/export/analysis.hh"

#include <algorithm>
#include <array>
#include <cmath>

#include "codelets/core/analysis/structure_factor.hh"
#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/export/analysis_tables.hh"
#include "io/export/export_columns.hh"

namespace starhist::io {
namespace {

// Same order as the enumerations.
constexpr std::array analysis_names{
    "sq",     "xray",     "neutron", "charge",   "pdf",         "s2", "kirkwood-buff",
    "blocks", "legendre", "fqt",     "fqt-self", "fqt-distinct"};
constexpr std::array partials_names{"faber-ziman", "ashcroft-langreth",
                                    "bhatia-thornton"};
constexpr std::array weights_names{"number", "xray", "neutron"};
constexpr std::array window_names{"none", "lorch", "hann"};
constexpr std::array correction_names{"none", "ganguly"};

template <class Value, std::size_t Count>
Value find_value(const std::array<const char*, Count>& names, const std::string& name,
                 const char* what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw InputError(std::string(what) + " '" + name + "' is unknown (choose one of " +
                     join({names.begin(), names.end()}, ", ") + ")");
  }
  return static_cast<Value>(found - names.begin());
}

void check_kirkwood_buff(const ResultFile& result) {
  check_counted_from_zero(result);
  if (counts_only_same(result.layout.exclusion)) {
    throw InputError(
        result.path +
        ": has only pairs within molecules or residues (--only-same), but "
        "Kirkwood-Buff integrals need all other pairs: count without --only-same");
  }
}

AnalysisTable make_table(const ResultFile& result, const AnalysisRequest& request) {
  if (request.analysis != Analysis::block_length) {
    check_bins_of_equal_width(result, "starhist analyze");
  }
  switch (request.analysis) {
    case Analysis::structure_factor:
    case Analysis::x_ray:
    case Analysis::neutron:
    case Analysis::charge:
      check_counted_from_zero(result);
      check_all_pairs_counted(result);
      return scattering_table(result, request);
    case Analysis::total_distribution:
      check_counted_from_zero(result);
      check_all_pairs_counted(result);
      check_all_species_pairs(result, request, "a total distribution function");
      return total_distribution_table(result, request);
    case Analysis::pair_entropy:
      check_counted_from_zero(result);
      check_all_pairs_counted(result);
      check_all_species_pairs(result, request, "the pair entropy");
      return pair_entropy_table(result, request);
    case Analysis::kirkwood_buff:
      check_kirkwood_buff(result);
      return kirkwood_buff_table(result, request);
    case Analysis::block_length:
      return block_length_table(result, request);
    case Analysis::legendre:
      return legendre_table(result, request);
    case Analysis::intermediate:
    case Analysis::intermediate_self:
    case Analysis::intermediate_distinct:
      break;  // write_lag_analysis()
  }
  throw InternalError("unknown analysis");
}

}  // namespace

Analysis parse_analysis(const std::string& name) {
  return find_value<Analysis>(analysis_names, name, "quantity");
}

std::string to_string(Analysis analysis) {
  return analysis_names[static_cast<std::size_t>(analysis)];
}

bool needs_lags(Analysis analysis) {
  return analysis >= Analysis::intermediate;
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

std::uint32_t bins_below(const ResultFile& result, const std::string& option,
                         double length, std::uint32_t limit, const std::string& why) {
  const UniformBins bins = result.layout.bins;
  const double exact = length / bins.width();
  const double whole = std::round(exact);
  if (!(whole >= 1.0) || std::abs(exact - whole) > 1e-9 * whole) {
    throw InputError(option + " " + number_text(length) +
                     " is not a bin edge (bins are " + number_text(bins.width()) +
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

void add_curve(ExportTable& table, const std::string& name, std::vector<double> values,
               std::vector<double> errors, bool with_errors) {
  table.curves.push_back(real_column(name, std::move(values)));
  if (with_errors) {
    table.curves.push_back(real_column(error_name(name), std::move(errors)));
  }
}

std::vector<std::string> write_analysis(std::ostream& out, const ResultFile& result,
                                        const AnalysisRequest& request) {
  check_has_blocks(result);
  if (request.analysis != Analysis::block_length) {
    check_in_space(result, "the quantity '" + to_string(request.analysis) + "'");
  }
  if (request.table) {
    check_kirkwood_buff(result);
    return write_kirkwood_buff_values(out, result, request);
  }
  if (request.errors && request.analysis != Analysis::block_length) {
    check_blocks_for_errors(result);
  }
  AnalysisTable made = make_table(result, request);
  if (request.errors && request.analysis != Analysis::block_length) {
    add_error_caveat(result, request.pairs, made.table, made.notes);
  }
  if (!request.experiment.empty()) {
    compare_with_experiment(made, result, request);
  }
  add_small_q_caveat(made, result.layout.length_unit);
  made.table.source = result.path;
  made.table.length_unit = result.layout.length_unit;
  write_table(out, made.table, request.format);
  return made.notes;
}

}  // namespace starhist::io
