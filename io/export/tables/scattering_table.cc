#include <algorithm>
#include <cmath>
#include <numbers>

#include "codelets/core/analysis/jackknife.hh"
#include "codelets/core/analysis/sine_transform.hh"
#include "codelets/core/analysis/structure_factor.hh"
#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "io/export/analysis_quantities.hh"
#include "io/export/export_columns.hh"
#include "io/export/scattering_factors.hh"
#include "io/export/tables/atoms_of_result.hh"
#include "io/export/tables/scattering_plan.hh"

namespace starhist::io {
namespace {

bool all_pairs_wanted(const ResultFile& result, const AnalysisRequest& request) {
  return request.pairs.empty() && !analysis::missing_pair(result.layout);
}

/// Names of the curves, and the function that computes them from the sums.
struct NamedCurves {
  std::vector<std::string> names;
  std::function<std::vector<std::vector<double>>(const analysis::ScatteringSums&)>
      estimate;
  /// Whether a curve is an average of squares, which cannot be negative; a curve beyond
  /// the end of the list is not.
  std::vector<bool> square = {};
};

/// Notes a curve that is negative and cannot be: by more than three standard errors, or
/// by a twentieth of its mean magnitude if these are unknown. Small q that the cut
/// leaves undetermined have another note.
void note_negative(AnalysisTable& made, const NamedCurves& curves,
                   const analysis::CurvesWithErrors& estimates,
                   const ScatteringPlan& plan, const HistogramLayout& layout) {
  const double lowest =
      plan.shells ? 2.0 * std::numbers::pi / layout.bins.edge(plan.bin_count) : 0.0;
  for (std::size_t c = 0; c < curves.square.size(); ++c) {
    const std::vector<double>& values = estimates.values[c];
    double magnitude = 0.0;
    for (const double value : values) {
      magnitude += std::abs(value) / static_cast<double>(values.size());
    }
    for (std::uint32_t i = 0; curves.square[c] && i < plan.grid.count; ++i) {
      const double error = estimates.errors[c][i];
      const double limit = error > 0.0 ? 3.0 * error : magnitude / 20.0;
      if (plan.grid.at(i) >= lowest && values[i] < -limit) {
        const std::string caveat =
            curves.names[c] + " is " + rounded_text(values[i]) +
            " at q = " + rounded_text(plan.grid.at(i)) +
            ", but it cannot be negative: g(r) has not converged to 1 at the cut "
            "(count "
            "with a larger --r-max in a larger box, or use --window lorch)";
        add_caveat("negative_caveat", caveat, made.table, made.notes);
        return;
      }
    }
  }
}

NamedCurves structure_factor_curves(AnalysisTable& made, const ResultFile& result,
                                    const AnalysisRequest& request,
                                    const analysis::QGrid& grid) {
  const HistogramLayout& layout = result.layout;
  const auto pairs = find_pairs(result, request.pairs);
  const bool with_total =
      all_pairs_wanted(result, request) && layout.species.size() > 1;
  const Partials partials = request.partials.value_or(
      request.debye ? Partials::ashcroft_langreth : Partials::faber_ziman);
  made.table.title = "Structure factor";
  made.table.value_label = "S(q)";
  made.table.facts.push_back({"partials", to_string(partials)});
  NamedCurves curves;
  if (partials == Partials::bhatia_thornton) {
    check_all_species_pairs(result, request, "Bhatia-Thornton partials");
    if (layout.species.size() != 2) {
      throw InputError("Bhatia-Thornton partials are for two species, but " +
                       result.path + " has " + std::to_string(layout.species.size()) +
                       " (--partials faber-ziman or ashcroft-langreth)");
    }
    curves.names = {"S_NN(q)", "S_NC(q)", "S_CC(q)"};
    curves.square = {true, false, true};
    curves.estimate = [&layout](const analysis::ScatteringSums& sums) {
      return analysis::bhatia_thornton(layout, sums);
    };
    return curves;
  }
  for (const PairId pair : pairs) {
    curves.names.push_back(pair_name(layout.pairs[pair.index()], layout.species));
    curves.square.push_back(
        layout.pairs[pair.index()].like() &&
        (partials == Partials::ashcroft_langreth || layout.species.size() == 1));
  }
  if (with_total) {
    curves.names.emplace_back("total");
    curves.square.push_back(true);
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

/// One function of --form: S(q), i(q) or F(q).
NamedCurves form_curves(const HistogramLayout& layout, const AnalysisRequest& request,
                        const analysis::ScatteringFactors& factors,
                        const analysis::QGrid& grid) {
  const std::string& form = request.form;
  if (form != "S" && form != "i" && form != "F") {
    throw InputError("form '" + form + "' of " + request.quantity->name +
                     " is unknown (choose one of S, i, F)");
  }
  if (request.debye) {
    throw InputError(
        "--form and --debye exclude each other (a Debye sum has no uniform density to "
        "compare with): leave out one of them");
  }
  NamedCurves curves;
  curves.names = {form + "(q)"};
  curves.estimate = [&layout, form, factors,
                     grid](const analysis::ScatteringSums& sums) {
    std::vector<double> values;
    if (form == "i") {
      values = analysis::intensity_per_particle(layout, sums, factors);
      const auto self = analysis::mean_square_factor(sums, factors);
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] -= self[i];
      }
      return std::vector<std::vector<double>>{values};
    }
    values = analysis::total_structure_factor(layout, sums, factors);
    if (form == "F") {
      for (std::uint32_t i = 0; i < grid.count; ++i) {
        values[i] = grid.at(i) * (values[i] - 1.0);
      }
    }
    return std::vector<std::vector<double>>{values};
  };
  return curves;
}

/// Notes a net charge, because of which S_ZZ(q) does not vanish at q = 0.
void note_net_charge(AnalysisTable& made, const ResultFile& result,
                     const analysis::ScatteringFactors& charges) {
  double net = 0.0;
  double all = 0.0;
  const BlockCounts sum = total(result.blocks);
  for (std::size_t s = 0; s < charges.size(); ++s) {
    const double charge =
        static_cast<double>(sum.particle_number[s]) * charges[s].front() / sum.frames;
    net += charge;
    all += std::abs(charge);
  }
  if (std::abs(net) > 1e-6 * all) {
    made.notes.push_back(
        "the particles have a net charge of " + number_text(net) +
        " per frame, so that S_ZZ(q) does not tend to 0 at small q (check --charges, "
        "and that all charged species were counted)");
  }
}

/// S_ZZ(q), and S_ZZ(q) over its limit <z^2> at large q.
NamedCurves charge_curves(AnalysisTable& made, const ResultFile& result,
                          const AnalysisRequest& request, const analysis::QGrid& grid) {
  const HistogramLayout& layout = result.layout;
  made.table.title = "Charge structure factor";
  made.table.value_label = "S_ZZ(q)";
  analysis::ScatteringFactors charges;
  for (const double charge : charges_of(made, layout, request)) {
    charges.emplace_back(grid.count, charge);
  }
  note_net_charge(made, result, charges);
  NamedCurves curves;
  curves.names = {"S_ZZ(q)", "S_ZZ(q)/<z^2>"};
  curves.square = {true};
  curves.estimate = [&layout, charges](const analysis::ScatteringSums& sums) {
    std::vector<double> values =
        analysis::intensity_per_particle(layout, sums, charges);
    std::vector<double> normalized = values;
    const auto squares = analysis::mean_square_factor(sums, charges);
    for (std::size_t i = 0; i < values.size(); ++i) {
      normalized[i] /= squares[i];
    }
    return std::vector{std::move(values), std::move(normalized)};
  };
  return curves;
}

/// Notes a number density that no liquid or solid of atoms has, because form factors
/// depend on q in 1/Angstrom.
void note_density(AnalysisTable& made, const ResultFile& result) {
  constexpr double fewest = 1.0;  // [1/nm^3] water has 100 atoms, gases 0.08 at 1 bar
  constexpr double most = 300.0;  // [1/nm^3] diamond has 176
  double atoms = 0.0;
  double volume = 0.0;
  for (const BlockCounts& block : result.blocks) {
    for (const std::uint64_t number : block.particle_number) {
      atoms += static_cast<double>(number);
    }
    volume += block.volume;
  }
  const std::string& unit = result.layout.length_unit;
  const double density = atoms / volume / std::pow(*angstroms_per(unit) / 10.0, 3);
  if (density < fewest || density > most) {
    made.notes.push_back("the box has " + rounded_text(density) + " atoms per nm^3, " +
                         (density < fewest ? "as a gas" : "more than any solid") +
                         ": are lengths of the trajectory really in " + unit +
                         "? (form factors depend on it; rdf --unit sets it)");
  }
}

/// Intensities with the factors of request.weights.
NamedCurves intensity_curves(AnalysisTable& made, const ResultFile& result,
                             const AnalysisRequest& request,
                             const analysis::QGrid& grid) {
  const HistogramLayout& layout = result.layout;
  const SpeciesFactors species = species_factors(layout, request, grid);
  made.table.title =
      request.weights == Weights::x_ray ? "X-ray scattering" : "Neutron scattering";
  made.table.value_label =
      request.form == "S"   ? "S(q)"
      : request.form == "i" ? "i(q) = I(q)/N - <f^2> (" + species.unit + ")"
      : request.form == "F"
          ? "F(q) = q (S(q) - 1) (" + per_unit(layout.length_unit) + ")"
      : request.debye ? "I(q) (" + species.unit + ")"
                      : "I(q)/N (" + species.unit + ") and total S(q)";
  made.table.facts.push_back({"intensity_unit", species.unit});
  add_factor_facts(made, layout, species);
  if (request.weights == Weights::x_ray && !request.debye &&
      angstroms_per(layout.length_unit)) {
    note_density(made, result);
  }
  NamedCurves curves;
  const bool debye = request.debye;
  const analysis::ScatteringFactors factors = species.factors;
  if (!request.form.empty()) {
    return form_curves(layout, request, factors, grid);
  }
  curves.square = {true};
  curves.names = debye ? std::vector<std::string>{"I(q)"}
                       : std::vector<std::string>{"I(q)/N", "S(q)"};
  curves.estimate = [&layout, factors, debye](const analysis::ScatteringSums& sums) {
    if (debye) {
      return std::vector<std::vector<double>>{
          analysis::intensity(layout, sums, factors)};
    }
    return std::vector{analysis::intensity_per_particle(layout, sums, factors),
                       analysis::total_structure_factor(layout, sums, factors)};
  };
  return curves;
}

template <auto curves_of>
AnalysisTable scattering_table(const ResultFile& result,
                               const AnalysisRequest& request) {
  const ScatteringPlan plan = plan_scattering(result, request);
  AnalysisTable made;
  add_scattering_facts(made, result, request, plan);
  const NamedCurves curves = curves_of(made, result, request, plan.grid);
  const auto groups = analysis::scattering_sums(
      result.layout, result.blocks, plan.pair_sum(request.window), plan.grid,
      request.errors ? analysis::most_error_groups : std::size_t{1});
  if (request.errors) {
    made.table.facts.push_back(errors_fact(groups.size(), result.blocks.size()));
  }
  const analysis::CurvesWithErrors values =
      analysis::jackknife_curves(groups, curves.estimate);
  note_negative(made, curves, values, plan, result.layout);
  if (request.errors && plan.shells) {
    CutEffect effect(plan.grid, result.layout.bins, plan.bin_count);
    for (std::size_t cut = 0; cut < CutEffect::cuts; ++cut) {
      const auto shorter = analysis::scattering_sums(
          result.layout, result.blocks, plan.shorter_pair_sum(request.window, cut),
          plan.grid, 1);
      effect.add(cut, values, curves.estimate(shorter.front()));
    }
    effect.report(made, result.layout.length_unit, request.window);
  }
  for (std::size_t c = 0; c < curves.names.size(); ++c) {
    add_curve(made.table, curves.names[c], values.values[c], values.errors[c],
              request.errors);
  }
  set_q_axis(made.table, result, plan.grid);
  return made;
}

template <Weights weights>
AnalysisTable intensity_table(const ResultFile& result,
                              const AnalysisRequest& request) {
  AnalysisRequest weighted = request;
  weighted.weights = weights;
  return table_of_atoms(result, weighted, scattering_table<intensity_curves>);
}

}  // namespace

const AnalysisQuantity quantities::structure_factor{
    .name = "sq",
    .help = "partial structure factors, and S(q) with all particles equal\n",
    .examples = "starhist analyze rdf.h5 --window lorch --errors > sq.csv\n",
    .options = "pairs partials debye experiment errors r-cut q-min q-max q-step window",
    .needs = CountsNeeded::all_pairs,
    .make_table = scattering_table<structure_factor_curves>,
};
const AnalysisQuantity quantities::x_ray{
    .name = "xray",
    .help =
        "I(q) per particle and total S(q), with the form factors of\n"
        "Waasmaier and Kirfel\n",
    .examples =
        "starhist analyze rdf.h5 --quantity xray --element OW=O,HW=H -o iq.csv\n"
        "starhist analyze cluster.h5 --quantity xray --debye --q-max 50 > iq.csv\n"
        "starhist analyze rdf.h5 --quantity xray --experiment iq.dat -o fit.csv\n",
    .options = "element form debye experiment errors r-cut q-min q-max q-step window",
    .needs = CountsNeeded::all_species_pairs,
    .make_table = intensity_table<Weights::x_ray>,
};
const AnalysisQuantity quantities::neutron{
    .name = "neutron",
    .help = "the same with coherent scattering lengths\n",
    .examples =
        "starhist analyze rdf.h5 --quantity neutron --form F --window lorch -o "
        "fq.csv\n",
    .options = "element form debye experiment errors r-cut q-min q-max q-step window",
    .needs = CountsNeeded::all_species_pairs,
    .make_table = intensity_table<Weights::neutron>,
};
const AnalysisQuantity quantities::charge{
    .name = "charge",
    .help = "S(q) with charges as weights\n",
    .options = "charges debye errors r-cut q-min q-max q-step window",
    .needs = CountsNeeded::all_species_pairs,
    .make_table = scattering_table<charge_curves>,
};

}  // namespace starhist::io
