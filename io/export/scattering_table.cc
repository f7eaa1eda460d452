#include "codelets/core/analysis/block_groups.hh"
#include "codelets/core/analysis/jackknife_curves.hh"
#include "codelets/core/analysis/sine_transform.hh"
#include "codelets/core/analysis/structure_factor.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/export/analysis_tables.hh"
#include "io/export/export_columns.hh"
#include "io/export/scattering_factors.hh"
#include "io/export/scattering_plan.hh"

namespace starhist::io {
namespace {

std::string per_unit(const std::string& unit) {
  return unit.empty() ? "unknown" : "1/" + unit;
}

void add_facts(AnalysisTable& made, const ResultFile& result,
               const AnalysisRequest& request, const ScatteringPlan& plan) {
  ExportTable& table = made.table;
  const UniformBins bins = result.layout.bins;
  table.facts = source_facts(result, to_string(request.analysis));
  auto& facts = table.facts;
  facts.push_back({"q_unit", per_unit(result.layout.length_unit)});
  facts.push_back(
      {"method", request.debye ? "Debye sum over all pairs" : "transform of g(r) - 1"});
  if (!request.debye) {
    facts.push_back(number_fact("r_cut", bins.edge(plan.bin_count)));
    facts.push_back({"window", to_string(request.window)});
  }
  const analysis::BinningLimits limits = analysis::binning_limits(bins);
  facts.push_back(number_fact("bin_width", bins.width()));
  facts.push_back(number_fact("q_limit_rigid_distances", limits.rigid));
  facts.push_back(number_fact("q_limit_smooth_curves", limits.smooth));
  facts.push_back(number_fact("q_limit", limits.absolute));
  if (plan.grid.last() > limits.rigid * (1.0 + 1e-9)) {
    made.notes.push_back(
        "bins of width " + number_text(bins.width()) +
        " limit q: the position of a sharp peak of g(r), such as that from a rigid "
        "bond, is known only to half a bin, which suffices up to q = " +
        number_text(limits.rigid) +
        "; if all peaks are wide, the curve is accurate to 1 % up to q = " +
        number_text(limits.smooth) +
        " (for larger q count with narrower bins, which cost little)");
  }
}

bool all_pairs_wanted(const ResultFile& result, const AnalysisRequest& request) {
  return request.pairs.empty() && !analysis::missing_pair(result.layout);
}

/// Names of the curves, and the function that computes them from the sums.
struct Curves {
  std::vector<std::string> names;
  std::function<std::vector<std::vector<double>>(const analysis::ScatteringSums&)>
      estimate;
};

Curves structure_factor_curves(const ResultFile& result, const AnalysisRequest& request,
                               const analysis::QGrid& grid) {
  const HistogramLayout& layout = result.layout;
  const auto pairs = find_pairs(result, request.pairs);
  const bool with_total =
      all_pairs_wanted(result, request) && layout.species.size() > 1;
  const Partials partials = request.partials.value_or(
      request.debye ? Partials::ashcroft_langreth : Partials::faber_ziman);
  Curves curves;
  for (const PairId pair : pairs) {
    curves.names.push_back(pair_name(layout.pairs[pair.index()], layout.species));
  }
  if (with_total) {
    curves.names.emplace_back("total");
  }
  const analysis::ScatteringFactors ones(layout.species.size(),
                                         std::vector<double>(grid.count, 1.0));
  curves.estimate = [&layout, pairs, partials, with_total,
                     ones](const analysis::ScatteringSums& sums) {
    std::vector<std::vector<double>> values;
    for (const PairId pair : pairs) {
      values.push_back(partials == Partials::faber_ziman
                           ? analysis::faber_ziman(layout, sums, pair)
                           : analysis::ashcroft_langreth(layout, sums, pair));
    }
    if (with_total) {
      values.push_back(analysis::total_structure_factor(layout, sums, ones));
    }
    return values;
  };
  return curves;
}

Curves intensity_curves(const ResultFile& result, const AnalysisRequest& request,
                        const SpeciesFactors& species) {
  const HistogramLayout& layout = result.layout;
  Curves curves;
  const bool debye = request.debye;
  curves.names = debye ? std::vector<std::string>{"I(q)"}
                       : std::vector<std::string>{"I(q)/N", "S(q)"};
  const analysis::ScatteringFactors factors = species.factors;
  curves.estimate = [&layout, factors, debye](const analysis::ScatteringSums& sums) {
    std::vector<std::vector<double>> values{analysis::intensity(layout, sums, factors)};
    if (!debye) {
      for (double& value : values[0]) {
        value *= sums.frames / sums.all_particles();
      }
      values.push_back(analysis::total_structure_factor(layout, sums, factors));
    }
    return values;
  };
  return curves;
}

void check_all_pairs(const ResultFile& result, const AnalysisRequest& request) {
  if (!request.pairs.empty()) {
    throw InputError("I(q) is a sum over all pairs: --pairs has no meaning for it");
  }
  if (const auto missing = analysis::missing_pair(result.layout)) {
    throw InputError("I(q) needs all pairs of species, but " +
                     pair_name(*missing, result.layout.species) +
                     " was not counted in " + result.path);
  }
}

Curves make_curves(AnalysisTable& made, const ResultFile& result,
                   const AnalysisRequest& request, const analysis::QGrid& grid) {
  if (request.analysis == Analysis::structure_factor) {
    if (!request.elements.empty()) {
      throw InputError("--element is for xray and neutron; sq weighs all alike");
    }
    made.table.title = "Structure factor";
    made.table.value_label = "S(q)";
    const bool faber_ziman =
        !request.debye &&
        request.partials.value_or(Partials::faber_ziman) == Partials::faber_ziman;
    made.table.facts.push_back(
        {"partials",
         to_string(faber_ziman ? Partials::faber_ziman : Partials::ashcroft_langreth)});
    return structure_factor_curves(result, request, grid);
  }
  if (request.partials) {
    throw InputError("--partials is for sq; xray and neutron give totals");
  }
  const SpeciesFactors species = species_factors(result.layout, request, grid);
  const bool x_ray = request.analysis == Analysis::x_ray;
  made.table.title = x_ray ? "X-ray scattering" : "Neutron scattering";
  made.table.value_label = request.debye
                               ? "I(q) (" + species.unit + ")"
                               : "I(q)/N (" + species.unit + ") and total S(q)";
  made.table.facts.push_back({"intensity_unit", species.unit});
  for (std::size_t s = 0; s < species.sources.size(); ++s) {
    made.table.facts.push_back(
        {"element of " + result.layout.species[s], species.elements[s]});
    made.table.facts.push_back(
        {"factor of " + result.layout.species[s], species.sources[s]});
  }
  made.notes.insert(made.notes.end(), species.notes.begin(), species.notes.end());
  return intensity_curves(result, request, species);
}

}  // namespace

AnalysisTable scattering_table(const ResultFile& result,
                               const AnalysisRequest& request) {
  if (request.analysis != Analysis::structure_factor) {
    check_all_pairs(result, request);
  }
  const ScatteringPlan plan = plan_scattering(result, request);
  AnalysisTable made;
  add_facts(made, result, request, plan);
  const Curves curves = make_curves(made, result, request, plan.grid);
  const auto groups = analysis::scattering_sums(
      result.layout, result.blocks, plan.pair_sum(request.window), plan.grid,
      request.errors ? analysis::most_error_groups : std::size_t{1});
  if (request.errors) {
    made.table.facts.push_back(errors_fact(groups.size(), result.blocks.size()));
  }
  const analysis::CurvesWithErrors values =
      analysis::jackknife_curves(groups, curves.estimate);
  for (std::size_t c = 0; c < curves.names.size(); ++c) {
    add_curve(made.table, curves.names[c], values.values[c], values.errors[c],
              request.errors);
  }
  const analysis::QGrid grid = plan.grid;
  made.table.rows = grid.count;
  made.table.axis_label = with_unit(
      "q", result.layout.length_unit.empty() ? "" : "1/" + result.layout.length_unit);
  made.table.r = {"q", [grid](std::uint32_t i) { return number_text(grid.at(i)); }, {}};
  return made;
}

}  // namespace starhist::io
