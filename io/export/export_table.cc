#include "io/export/export_table.hh"

#include "codelets/core/analysis/distribution_errors.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/export/export_columns.hh"

namespace starhist::io {
namespace {

void add_count_if_any(ExportColumn& column, const std::string& name,
                      std::uint64_t count) {
  if (count > 0) {
    column.facts.push_back(number_fact(name, std::to_string(count)));
  }
}

void add_counts(ExportTable& table, const ResultFile& result, const BlockCounts& sum,
                const std::vector<PairId>& pairs) {
  const UniformBins bins = result.layout.bins;
  table.title = "Pair distance histogram";
  table.value_label = "unordered pairs per bin";
  table.edges = {
      {"r_lower", [bins](std::uint32_t k) { return number_text(bins.edge(k)); }, {}},
      {"r_upper",
       [bins](std::uint32_t k) { return number_text(bins.edge(k + 1)); },
       {}}};
  for (const PairId pair : pairs) {
    table.curves.push_back(count_column(
        pair_name(result.layout.pairs[pair.index()], result.layout.species),
        sum.counts[pair.index()]));
    table.curves.back().facts = {
        number_fact("pairs", std::to_string(sum.pairs[pair.index()])),
        number_fact("out_of_range", std::to_string(sum.out_of_range[pair.index()]))};
    add_count_if_any(table.curves.back(), "excluded_pairs", sum.excluded[pair.index()]);
    add_count_if_any(table.curves.back(), "underflow", sum.underflow[pair.index()]);
  }
}

void add_g(ExportTable& table, const ResultFile& result,
           const std::vector<PairId>& pairs, const ExportRequest& request) {
  const HistogramLayout& layout = result.layout;
  const analysis::Normalization normalization = request.normalization;
  table.title = "Radial distribution function";
  table.value_label = "g(r)";
  table.facts.push_back({"normalization", to_string(normalization)});
  const analysis::ShellVolumes shells(layout.bins, result.blocks);
  if (shells.defined() < layout.bins.count) {
    table.facts.push_back(number_fact("g_defined_up_to",
                                      number_text(layout.bins.edge(shells.defined()))));
  }
  for (const PairId pair : pairs) {
    const std::string name = pair_name(layout.pairs[pair.index()], layout.species);
    table.curves.push_back(
        real_column(name, analysis::radial_distribution(layout, result.blocks, shells,
                                                        pair, normalization)));
    if (request.errors) {
      table.curves.push_back(real_column(
          error_name(name), analysis::radial_distribution_errors(
                                layout, result.blocks, shells, pair, normalization)));
    }
  }
}

void add_coordination(ExportTable& table, const ResultFile& result,
                      const BlockCounts& sum, const std::vector<PairId>& pairs,
                      bool errors) {
  const UniformBins bins = result.layout.bins;
  const auto& species = result.layout.species;
  table.title = "Running coordination number";
  table.value_label = "n(r)";
  table.r.text = [bins](std::uint32_t k) { return number_text(bins.edge(k + 1)); };
  for (const PairId pair : pairs) {
    std::vector<std::vector<double>> all_errors;
    if (errors) {
      all_errors = analysis::coordination_errors(result.layout, result.blocks, pair);
    }
    std::size_t d = 0;
    for (const analysis::Coordination& direction :
         analysis::coordination_numbers(result.layout, sum, pair)) {
      const std::string name = species[direction.other.index()] + " around " +
                               species[direction.centre.index()];
      table.curves.push_back(real_column(name, direction.value));
      if (errors) {
        table.curves.push_back(real_column(error_name(name), all_errors[d++]));
      }
    }
  }
}

void check_errors(const ResultFile& result, const ExportRequest& request) {
  if (request.quantity == Quantity::counts) {
    throw InputError(
        "counts are exact and have no errors (--errors is for g and "
        "coordination)");
  }
  check_blocks_for_errors(result);
}

}  // namespace

ExportTable make_export_table(const ResultFile& result, const ExportRequest& request) {
  check_has_blocks(result);
  const auto pairs = find_pairs(result, request.pairs);
  const BlockCounts sum = total(result.blocks);
  const UniformBins bins = result.layout.bins;
  ExportTable table;
  table.source = result.path;
  table.length_unit = result.layout.length_unit;
  table.rows = bins.count;
  table.facts = source_facts(result, to_string(request.quantity));
  if (request.errors) {
    check_errors(result, request);
    table.facts.push_back(errors_fact(result.blocks.size(), result.blocks.size()));
  }
  table.r = {
      "r",
      [bins](std::uint32_t k) { return number_text(analysis::bin_centre(bins, k)); },
      {}};
  switch (request.quantity) {
    case Quantity::counts:
      add_counts(table, result, sum, pairs);
      break;
    case Quantity::g:
      add_g(table, result, pairs, request);
      break;
    case Quantity::coordination:
      add_coordination(table, result, sum, pairs, request.errors);
      break;
  }
  return table;
}

}  // namespace starhist::io
