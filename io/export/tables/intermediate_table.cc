#include <algorithm>
#include <limits>

#include "codelets/core/analysis/jackknife.hh"
#include "codelets/core/analysis/lags/intermediate_scattering.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/export/analysis_quantities.hh"
#include "io/export/export_columns.hh"
#include "io/export/lag_table.hh"
#include "io/export/tables/scattering_plan.hh"

namespace starhist::io {
namespace {

using analysis::IntermediateSums;

/// Names of the curves of a lag, and the function that computes them.
struct LagCurves {
  std::vector<std::string> names;
  std::function<std::vector<std::vector<double>>(const IntermediateSums&)> estimate;
};

Partials partials_of(const AnalysisRequest& request) {
  const Partials partials = request.partials.value_or(Partials::ashcroft_langreth);
  const bool distinct = request.quantity == &quantities::intermediate_distinct;
  if (partials == Partials::bhatia_thornton ||
      (partials == Partials::faber_ziman && !distinct)) {
    throw InputError(
        "--partials " + to_string(partials) + " does not apply to " +
        request.quantity->name +
        (partials == Partials::faber_ziman
             ? " (its partials have no self part: use --quantity fqt-distinct, or "
               "--partials ashcroft-langreth)"
             : " (use --partials ashcroft-langreth)"));
  }
  return partials;
}

/// Factors of the species, with their facts; empty for Weights::number.
analysis::ScatteringFactors factors_of(AnalysisTable& made,
                                       const HistogramLayout& layout,
                                       const AnalysisRequest& request,
                                       const analysis::QGrid& grid) {
  if (request.weights == Weights::number) {
    return {};
  }
  const SpeciesFactors species = species_factors(layout, request, grid);
  if (const auto sites = sites_without_atom(layout, request); !sites.empty()) {
    throw InputError("I(q, t)/N is per atom, but species " + sites.front().first +
                     " has none: count without it (--species)");
  }
  made.table.facts.push_back({"weights", to_string(request.weights)});
  made.table.facts.push_back({"intensity_unit", species.unit});
  add_factor_facts(made, layout, species);
  return species.factors;
}

/// Throws InputError if species of these pairs share particles, whose self part is in
/// no pair, and which all species together contain twice.
void check_disjoint(const LagResult& result, const std::vector<PairId>& pairs) {
  const HistogramLayout& layout = result.layout.pairs;
  const BlockCounts sum = total(result.channels.blocks);
  for (const PairId pair : pairs) {
    const SpeciesPair& species = layout.pairs[pair.index()];
    if (!species.like() && sum.excluded[result.layout.channel(0, pair)] > 0) {
      throw InputError(result.channels.path + ": the species of " +
                       pair_name(species, layout.species) +
                       " share particles (F(q, t) and Faber-Ziman partials need "
                       "disjoint species): count disjoint species, choose other pairs "
                       "with --pairs, or use --quantity fqt-distinct --partials "
                       "ashcroft-langreth");
    }
  }
}

LagCurves curves_of(AnalysisTable& made, const LagResult& result,
                    const AnalysisRequest& request, const analysis::QGrid& grid) {
  const HistogramLayout& layout = result.layout.pairs;
  LagCurves curves;
  if (request.quantity == &quantities::intermediate_self) {
    curves.names = layout.species;
    curves.estimate = [&layout](const IntermediateSums& sums) {
      std::vector<std::vector<double>> values;
      for (std::uint32_t s = 0; s < layout.species.size(); ++s) {
        values.push_back(analysis::self_intermediate(sums, SpeciesId(s)));
      }
      return values;
    };
    return curves;
  }
  const Partials partials = partials_of(request);
  made.table.facts.push_back({"partials", to_string(partials)});
  const ResultFile of_a_lag = result_of_a_lag(result);
  const std::vector<PairId> pairs = find_pairs(of_a_lag, request.pairs);
  for (const PairId pair : pairs) {
    curves.names.push_back(pair_name(layout.pairs[pair.index()], layout.species));
  }
  const bool distinct = request.quantity == &quantities::intermediate_distinct;
  if (!distinct) {
    check_disjoint(result, pairs);
  } else if (partials == Partials::faber_ziman) {
    check_disjoint(result, find_pairs(of_a_lag, {}));
  }
  const bool weighted = request.weights != Weights::number;
  if (weighted) {
    check_all_species_pairs(of_a_lag, request, "--weights");
  }
  const bool with_total =
      weighted || (!distinct && request.pairs.empty() && layout.species.size() > 1 &&
                   !analysis::missing_pair(layout));
  if (with_total) {
    curves.names.emplace_back(weighted ? "I/N" : "total");
  }
  const analysis::ScatteringFactors factors = factors_of(made, layout, request, grid);
  curves.estimate = [&layout, pairs, partials, distinct, with_total,
                     factors](const IntermediateSums& sums) {
    std::vector<std::vector<double>> values;
    for (const PairId pair : pairs) {
      values.push_back(partials == Partials::faber_ziman
                           ? analysis::faber_ziman(layout, sums.distinct, pair)
                       : distinct ? analysis::distinct_intermediate(layout, sums, pair)
                                  : analysis::partial_intermediate(layout, sums, pair));
    }
    if (with_total) {
      values.push_back(factors.empty()
                           ? analysis::total_intermediate(layout, sums)
                           : analysis::intermediate_intensity(layout, sums, factors));
    }
    return values;
  };
  return curves;
}

/// Number of displacements of a lag that are longer than the bins.
std::uint64_t displacements_out_of_range(const LagResult& result, std::size_t lag) {
  std::uint64_t count = 0;
  for (const auto& block : result.displacements) {
    for (std::uint32_t s = 0; s < result.layout.pairs.species.size(); ++s) {
      count += block[result.layout.displacement(lag, SpeciesId(s))].out_of_range;
    }
  }
  return count;
}

/// Lags whose self part is known. Adds a caveat about the others, and throws InputError
/// if all are others.
std::vector<bool> complete_lags(AnalysisTable& made, const LagResult& result) {
  const std::vector<std::uint64_t>& lags = result.layout.lags;
  std::vector<bool> complete;
  std::string first;
  for (std::size_t lag = 0; lag < lags.size(); ++lag) {
    const std::uint64_t lost = displacements_out_of_range(result, lag);
    complete.push_back(lost == 0);
    if (lost > 0 && first.empty()) {
      first = "lag " + std::to_string(lags[lag]) + " has " +
              counted(lost, "displacement") + " beyond the bins";
    }
  }
  if (first.empty()) {
    return complete;
  }
  const std::string remedy =
      "count with a larger --r-max, or use --quantity fqt-distinct";
  const auto undefined = std::count(complete.begin(), complete.end(), false);
  if (undefined == static_cast<std::ptrdiff_t>(lags.size())) {
    throw InputError(result.channels.path + ": " + first +
                     ", without which the self part is unknown: " + remedy);
  }
  const std::string caveat = first + ", so F(q, t) is undefined at " +
                             counted(static_cast<std::uint64_t>(undefined), "lag") +
                             " (" + remedy + ")";
  add_caveat("undefined_caveat", caveat, made.table, made.notes);
  return complete;
}

AnalysisTable intermediate_table(const LagResult& result,
                                 const AnalysisRequest& request) {
  const ResultFile& channels = result.channels;
  const ScatteringPlan plan = plan_scattering(channels, request);
  AnalysisTable made;
  ExportTable& table = made.table;
  add_scattering_facts(made, channels, request, plan);
  table.facts.push_back(time_unit_fact(channels.layout));
  const bool self = request.quantity == &quantities::intermediate_self;
  const bool distinct = request.quantity == &quantities::intermediate_distinct;
  table.title = self       ? "Self part of the intermediate scattering function"
                : distinct ? "Distinct part of the intermediate scattering function"
                           : "Intermediate scattering function";
  table.value_label = self ? "F_s(q, t)" : distinct ? "F_d(q, t)" : "F(q, t)";
  const LagCurves curves = curves_of(made, result, request, plan.grid);
  const std::vector<bool> complete =
      distinct ? std::vector<bool>(result.layout.lags.size(), true)
               : complete_lags(made, result);
  const auto groups = [&](std::size_t count) {
    return analysis::lag_blocks(result.layout, channels.blocks, result.displacements,
                                count);
  };
  const auto of_lags = groups(request.errors ? analysis::most_error_groups : 1);
  const auto sums =
      analysis::intermediate_sums(result.layout, channels.blocks, result.displacements,
                                  plan.pair_sum(request.window), plan.grid, of_lags);
  if (request.errors) {
    add_errors_of_lags(result, of_lags,
                       self ? std::vector<PairId>{}
                            : find_pairs(result_of_a_lag(result), request.pairs),
                       table, made.notes);
  }
  const bool cut = request.errors && !self;
  std::vector<std::vector<std::vector<IntermediateSums>>> shorter;
  for (std::size_t k = 0; cut && k < CutEffect::cuts; ++k) {
    shorter.push_back(analysis::intermediate_sums(
        result.layout, channels.blocks, result.displacements,
        plan.shorter_pair_sum(request.window, k), plan.grid, groups(1)));
  }
  CutEffect effect(plan.grid, channels.layout.bins, plan.bin_count);
  for (std::size_t lag = 0; lag < sums.size(); ++lag) {
    auto values = analysis::jackknife_curves(sums[lag], curves.estimate);
    for (std::size_t k = 0; complete[lag] && k < shorter.size(); ++k) {
      effect.add(k, values, curves.estimate(shorter[k][lag].front()));
    }
    for (std::size_t c = 0; c < curves.names.size(); ++c) {
      if (!complete[lag]) {
        const std::vector<double> unknown(plan.grid.count,
                                          std::numeric_limits<double>::quiet_NaN());
        values.values[c] = values.errors[c] = unknown;
      }
      add_curve(table, curve_name(result, curves.names[c], lag),
                std::move(values.values[c]), std::move(values.errors[c]),
                request.errors);
    }
  }
  effect.report(made, channels.layout.length_unit, request.window);
  set_q_axis(table, channels, plan.grid);
  return made;
}

/// Name of a curve or of its errors at q instead of a lag.
std::string name_at_q(const std::string& name, double q) {
  const std::string curve =
      name.substr(0, name.rfind(" lag ")) + " q=" + number_text(q);
  return name.ends_with(error_name("")) ? error_name(curve) : curve;
}

/// Curves over the lag at each q of request.at_q.
AnalysisTable table_over_lags(const LagResult& result, AnalysisRequest request) {
  const std::size_t lags = result.layout.lags.size();
  const std::string& length = result.channels.layout.length_unit;
  AnalysisTable made;
  std::vector<ExportColumn> all;
  for (const double q : request.at_q) {
    request.q_min = request.q_max = q;
    request.q_step = 1.0;
    AnalysisTable at_q = intermediate_table(result, request);
    add_small_q_caveat(at_q, length);
    const std::vector<ExportColumn> curves = std::move(at_q.table.curves);
    const std::size_t of_a_lag = curves.size() / lags;
    for (std::size_t c = 0; c < of_a_lag; ++c) {
      all.push_back(
          {name_at_q(curves[c].name, q), [curves, of_a_lag, c](std::uint32_t lag) {
             return curves[lag * of_a_lag + c].text(0);
           }});
    }
    for (const std::string& note : at_q.notes) {
      if (std::find(made.notes.begin(), made.notes.end(), note) == made.notes.end()) {
        made.notes.push_back(note);
      }
    }
    if (all.size() == of_a_lag) {
      made.table = std::move(at_q.table);
    }
  }
  made.table.curves = std::move(all);
  set_lag_axis(result, made.table);
  return made;
}

}  // namespace

const AnalysisQuantity quantities::intermediate{
    .name = "fqt",
    .help =
        "intermediate scattering functions F(q, t) of each lag: partial\n"
        "ones, <rho_A(0)* rho_B(t)> / sqrt(N_A N_B), and with all\n"
        "particles equal or, with --weights, I(q, t)/N\n",
    .examples = "starhist analyze vanhove.h5 --quantity fqt --errors -o fqt.csv\n",
    .options =
        "pairs partials weights element errors r-cut q-min q-max q-step at-q "
        "window",
};
const AnalysisQuantity quantities::intermediate_self{
    .name = "fqt-self",
    .help = "their self part for each species, <exp(i q dr)>\n",
    .options = "errors r-cut q-min q-max q-step at-q window",
};
const AnalysisQuantity quantities::intermediate_distinct{
    .name = "fqt-distinct",
    .help = "their distinct part for each pair\n",
    .options = "pairs partials errors r-cut q-min q-max q-step at-q window",
};

std::vector<std::string> write_lag_analysis(std::ostream& out, const LagResult& result,
                                            const AnalysisRequest& request) {
  const ResultFile& channels = result.channels;
  check_has_blocks(channels);
  check_counted_from_zero(channels);
  if (request.errors) {
    check_blocks_for_errors(channels);
  }
  AnalysisTable made = request.at_q.empty() ? intermediate_table(result, request)
                                            : table_over_lags(result, request);
  if (request.at_q.empty()) {
    add_small_q_caveat(made, channels.layout.length_unit);
  }
  made.table.source = channels.path;
  made.table.length_unit = channels.layout.length_unit;
  write_table(out, made.table, request.format, made.notes);
  return made.notes;
}

}  // namespace starhist::io
