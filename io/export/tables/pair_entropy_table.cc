#include "codelets/core/analysis/integrals/pair_entropy.hh"
#include "codelets/core/analysis/jackknife.hh"
#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/export/analysis_quantities.hh"
#include "io/export/export_columns.hh"

namespace starhist::io {
namespace {

AnalysisTable pair_entropy_table(const ResultFile& result,
                                 const AnalysisRequest& request) {
  const HistogramLayout& layout = result.layout;
  const UniformBins bins = layout.bins;
  const std::uint32_t count = whole_sphere_bins(result, request);
  AnalysisTable made;
  ExportTable& table = made.table;
  table.title = "Pair entropy";
  table.value_label = "s_2(R) (k_B per particle)";
  table.axis_label = with_unit("R", layout.length_unit);
  table.facts = source_facts(result, request.quantity->name);
  table.facts.push_back(number_fact("r_cut", decimal_text(bins.edge(count))));
  table.rows = count;
  table.r = {"R", [bins](std::uint32_t k) { return decimal_text(bins.edge(k + 1)); }};
  const auto groups = analysis::entropy_sums(
      result.blocks, count, request.errors ? analysis::most_error_groups : 1);
  if (request.errors) {
    table.facts.push_back(errors_fact(groups.size(), result.blocks.size()));
  }
  const analysis::CurvesWithErrors curves =
      analysis::jackknife_curves(groups, [&](const analysis::EntropySums& sums) {
        auto parts = analysis::pair_entropy(layout, sums);
        std::vector<double> all(count);
        for (const auto& part : parts) {
          for (std::uint32_t k = 0; k < count; ++k) {
            all[k] += part[k];
          }
        }
        parts.push_back(std::move(all));
        return parts;
      });
  for (std::size_t c = 0; c < curves.values.size(); ++c) {
    const std::string name =
        c < layout.pairs.size() ? pair_name(layout.pairs[c], layout.species) : "total";
    const std::size_t column = table.curves.size();
    add_curve(table, name, curves.values[c], curves.errors[c], request.errors);
    table.curves[column].facts.push_back(
        number_fact("at_r_cut", curves.values[c].back()));
  }
  return made;
}

}  // namespace

const AnalysisQuantity quantities::pair_entropy{
    .name = "s2",
    .help = "pair entropy per particle, as a running integral\n",
    .options = "errors r-cut",
    .needs = CountsNeeded::all_species_pairs,
    .make_table = pair_entropy_table,
};

}  // namespace starhist::io
