#include <array>

#include "codelets/core/analysis/jackknife.hh"
#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "io/export/analysis_quantities.hh"
#include "io/export/export_columns.hh"

namespace starhist::io {
namespace {

constexpr std::array weight_names{"", " Krueger 2013", " Krueger-Vlugt 2018"};

/// Adds the value at the largest R as facts, also in cm^3/mol if the unit is known.
void add_value_facts(ExportColumn& column, double value, const std::string& unit) {
  column.facts.push_back(number_fact("at_r_cut", value));
  if (const auto angstroms = angstroms_per(unit)) {
    // Avogadro's number times (1e-8 cm)^3.
    const double per_cubic_angstrom = 0.602214076;
    column.facts.push_back(
        number_fact("at_r_cut_cm3_per_mol",
                    value * per_cubic_angstrom * *angstroms * *angstroms * *angstroms));
  }
}

}  // namespace

std::uint32_t whole_sphere_bins(const ResultFile& result,
                                const AnalysisRequest& request) {
  if (counts_only_same(result.layout.exclusion)) {
    throw InputError(
        result.path +
        ": has only pairs within molecules or residues (--only-same), but "
        "Kirkwood-Buff integrals need all other pairs: count without --only-same");
  }
  const analysis::ShellVolumes shells(
      result.layout,
      result.blocks);  // throws for boxes without volume
  const std::uint32_t whole = shells.whole();
  const std::uint32_t count =
      bins_below_cut(result, request.r_cut, whole,
                     "up to where whole spheres fit into the box (and the bins)");
  if (count == 0) {
    throw InputError("no bin of " + result.path +
                     " lies within the box (count with narrower bins)");
  }
  return count;
}

namespace {

AnalysisTable kirkwood_buff_table(const ResultFile& result,
                                  const AnalysisRequest& request) {
  const UniformBins bins = result.layout.bins;
  const std::string& unit = result.layout.length_unit;
  const std::uint32_t count = whole_sphere_bins(result, request);
  AnalysisTable made;
  ExportTable& table = made.table;
  table.title = "Kirkwood-Buff integrals";
  table.value_label = with_unit("G(R)", unit.empty() ? "" : unit + "^3");
  table.axis_label = with_unit("R", unit);
  table.facts = source_facts(result, request.quantity->name);
  table.facts.push_back(number_fact("r_cut", bins.edge(count)));
  table.facts.push_back(
      {"correction",
       request.correction == analysis::TailCorrection::ganguly ? "ganguly" : "none"});
  table.rows = count;
  table.r = {"R", [bins](std::uint32_t k) { return decimal_text(bins.edge(k + 1)); }};
  const auto estimate = [&](const analysis::KirkwoodBuffSums& sums) {
    analysis::KirkwoodBuffCurves curves =
        analysis::kirkwood_buff(bins, sums, request.correction);
    return std::vector{std::move(curves.plain), std::move(curves.krueger),
                       std::move(curves.krueger_vlugt)};
  };
  for (const PairId pair : find_pairs(result, request.pairs)) {
    const auto groups = analysis::kirkwood_buff_sums(
        result.blocks, pair, count,
        request.errors ? analysis::most_error_groups : std::size_t{1});
    if (request.errors && table.curves.empty()) {
      table.facts.push_back(errors_fact(groups.size(), result.blocks.size()));
    }
    const analysis::CurvesWithErrors curves =
        analysis::jackknife_curves(groups, estimate);
    const std::string name =
        pair_name(result.layout.pairs[pair.index()], result.layout.species);
    for (std::size_t c = 0; c < weight_names.size(); ++c) {
      const std::size_t column = table.curves.size();
      add_curve(table, name + weight_names[c], curves.values[c], curves.errors[c],
                request.errors);
      add_value_facts(table.curves[column], curves.values[c].back(), unit);
    }
  }
  return made;
}

}  // namespace

const AnalysisQuantity quantities::kirkwood_buff{
    .name = "kirkwood-buff",
    .help =
        "running integrals of 4 pi r^2 (g - 1), plain and with the\n"
        "weights of Krueger et al. for closed systems\n",
    .examples =
        "starhist analyze rdf.h5 --quantity kirkwood-buff --correction ganguly\n"
        "starhist analyze rdf.h5 --quantity kirkwood-buff --table -o kb.csv\n",
    .options = "pairs errors r-cut correction table",
    .needs = CountsNeeded::from_zero,
    .make_table = kirkwood_buff_table,
};

}  // namespace starhist::io
