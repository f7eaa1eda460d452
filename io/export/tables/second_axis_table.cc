#include "codelets/core/analysis/axes/second_axis_distribution.hh"
#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "io/export/analysis_quantities.hh"
#include "io/export/export_columns.hh"

namespace starhist::io {
namespace {

/// Throws InputError if pairs were not counted by a second axis.
const SecondAxis& second_axis_of(const ResultFile& result,
                                 const std::string& quantity) {
  if (!result.layout.second) {
    throw InputError(
        result.path + " has no quantity " + quantity +
        ": it has no second axis (count with starhist rdf --axis2 'cos(z)' "
        "or dz)");
  }
  return *result.layout.second;
}

/// The counts of the bins, without the pairs beyond the last one, which are added to
/// `beyond`.
std::vector<std::uint64_t> within_bins(const std::vector<std::uint64_t>& counts,
                                       const SecondAxis& axis, std::uint64_t& beyond) {
  std::vector<std::uint64_t> within;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (k % axis.columns() < axis.count) {
      within.push_back(counts[k]);
    } else {
      beyond += counts[k];
    }
  }
  return within;
}

/// Throws InputError for options that do not apply to two axes.
void check_request(const ResultFile& result, const ExportRequest& request) {
  const auto refuse = [&](const std::string& option, const std::string& remedy) {
    throw InputError(result.path + ": " + option + " does not apply to --quantity " +
                     to_string(request.quantity) + ": " + remedy);
  };
  if (request.rebinning.kind != analysis::Rebinning::Kind::each_bin) {
    refuse("--rebin", "count in larger bins, or merge them in the table");
  }
  if (request.smooth) {
    refuse("--smooth", "leave it out");
  }
  if (request.per_block) {
    refuse("--per-block", "leave it out");
  }
  if (request.normalization != analysis::Normalization::pairs_over_volume) {
    refuse("--normalization " + analysis::to_string(request.normalization),
           "leave it out");
  }
  if (request.format == ExportFormat::xvg) {
    refuse("--format xvg", "give csv or json, which have a column for the second axis");
  }
}

}  // namespace

ExportTable second_axis_table(const ResultFile& result, const ExportRequest& request) {
  const bool counts = request.quantity == Quantity::second_counts;
  const SecondAxis axis = second_axis_of(result, to_string(request.quantity));
  check_request(result, request);
  const UniformBins bins = result.layout.bins;
  const std::string name = to_string(axis);
  ExportTable table;
  table.title =
      (counts ? "Pairs by distance and " : "Distribution of distance and ") + name;
  table.source = result.path;
  table.value_label = counts ? "pairs" : "g(r, " + name + ")";
  table.length_unit = result.layout.length_unit;
  table.rows = bins.count * axis.count;
  table.facts = source_facts(result, to_string(request.quantity));
  table.facts.push_back({"axis2", name});
  table.facts.push_back(number_fact("axis2_bin_count", std::to_string(axis.count)));
  if (axis.along_normal()) {
    table.facts.push_back(number_fact("axis2_max", decimal_text(axis.limit)));
  }
  if (request.errors) {
    table.facts.push_back(errors_fact(result.blocks.size(), result.blocks.size()));
  }
  table.r = decimal_column("r", [bins, axis](std::uint32_t row) {
    return analysis::bin_centre(bins, row / axis.count);
  });
  if (!bins.uniform()) {
    for (const bool upper : {false, true}) {
      table.edges.push_back(decimal_column(
          upper ? "r_upper" : "r_lower", [bins, axis, upper](std::uint32_t row) {
            return bins.edge(row / axis.count + (upper ? 1 : 0));
          }));
    }
  }
  table.edges.push_back(decimal_column(name, [bins, axis](std::uint32_t row) {
    const std::uint32_t k = row % axis.count;
    return 0.5 * (axis.edge(k, bins.r_max) + axis.edge(k + 1, bins.r_max));
  }));
  std::uint64_t beyond = 0;
  const BlockCounts sum = counts ? total(result.blocks) : BlockCounts();
  for (const PairId pair : find_pairs(result, request.pairs)) {
    const std::string curve =
        pair_name(result.layout.pairs[pair.index()], result.layout.species);
    if (counts) {
      table.curves.push_back(
          count_column(curve, within_bins(sum.second[pair.index()], axis, beyond)));
      continue;
    }
    analysis::SecondAxisValues g =
        analysis::second_axis_distribution(result.layout, result.blocks, pair);
    add_curve(table, curve, std::move(g.values), std::move(g.errors), request.errors);
  }
  if (counts && axis.along_normal()) {
    table.facts.push_back(number_fact("beyond_axis2_max", std::to_string(beyond)));
  }
  return table;
}

namespace {

AnalysisTable legendre_table(const ResultFile& result, const AnalysisRequest& request) {
  const std::string quantity = request.quantity->name;
  const SecondAxis& axis = second_axis_of(result, quantity);
  if (axis.kind != SecondAxis::Kind::cosine) {
    throw InputError(result.path + " has no quantity " + quantity +
                     ": its second axis is " + to_string(axis) +
                     ", but Legendre polynomials are functions of a cosine (count with "
                     "--axis2 'cos(z)')");
  }
  const UniformBins bins = result.layout.bins;
  AnalysisTable made;
  ExportTable& table = made.table;
  table.title = "Mean Legendre polynomials of " + to_string(axis);
  table.value_label = "<P(" + to_string(axis) + ")>";
  table.rows = bins.count;
  table.facts = source_facts(result, quantity);
  table.facts.push_back({"axis2", to_string(axis)});
  if (request.errors) {
    table.facts.push_back(errors_fact(result.blocks.size(), result.blocks.size()));
  }
  table.r = decimal_column(
      "r", [bins](std::uint32_t row) { return analysis::bin_centre(bins, row); });
  for (const PairId pair : find_pairs(result, request.pairs)) {
    for (const int degree : {1, 2, 4}) {
      analysis::SecondAxisValues moments =
          analysis::legendre_moments(result.layout, result.blocks, pair, degree);
      add_curve(table,
                "P" + std::to_string(degree) + " " +
                    pair_name(result.layout.pairs[pair.index()], result.layout.species),
                std::move(moments.values), std::move(moments.errors), request.errors);
    }
  }
  return made;
}

}  // namespace

const AnalysisQuantity quantities::legendre{
    .name = "legendre",
    .help =
        "mean Legendre polynomials P1, P2 and P4 of cos(z) at each r\n"
        "(starhist rdf --axis2)\n",
    .options = "pairs errors",
    .make_table = legendre_table,
};

}  // namespace starhist::io
