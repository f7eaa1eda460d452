#include "io/export_table.hh"

#include <algorithm>
#include <cmath>
#include <memory>

#include "codelets/core/distribution_errors.hh"
#include "codelets/core/error.hh"
#include "codelets/core/text.hh"

namespace starhist {
namespace {

ExportFact number_fact(const std::string& name, const std::string& value) {
  return {name, value, ExportFact::Kind::number};
}

ExportColumn real_column(const std::string& name, std::vector<double> values) {
  const auto shared = std::make_shared<std::vector<double>>(std::move(values));
  return {name,
          [shared](std::uint32_t k) {
            const double value = (*shared)[k];
            return std::isfinite(value) ? number_text(value) : std::string();
          },
          {}};
}

ExportColumn count_column(const std::string& name, std::vector<std::uint64_t> values) {
  const auto shared = std::make_shared<std::vector<std::uint64_t>>(std::move(values));
  return {name, [shared](std::uint32_t k) { return std::to_string((*shared)[k]); }, {}};
}

PairId find_pair(const ResultFile& result, const SpeciesPair& wanted) {
  const auto& pairs = result.layout.pairs;
  const auto found = std::find(pairs.begin(), pairs.end(), wanted);
  if (found == pairs.end()) {
    std::vector<std::string> names;
    for (const SpeciesPair& pair : pairs) {
      names.push_back(pair_name(pair, result.layout.species));
    }
    throw InputError("pair " + pair_name(wanted, result.layout.species) +
                     " was not counted in " + result.path + " (it has " +
                     join(names, ", ") + ")");
  }
  return PairId(static_cast<std::uint32_t>(found - pairs.begin()));
}

std::vector<PairId> find_pairs(const ResultFile& result, const ExportRequest& request) {
  std::vector<PairId> ids;
  for (const SpeciesPair& pair :
       request.pairs.empty() ? result.layout.pairs : request.pairs) {
    ids.push_back(find_pair(result, pair));
  }
  return ids;
}

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

std::string error_name(const std::string& curve) {
  return curve + " standard error";
}

void add_g(ExportTable& table, const ResultFile& result,
           const std::vector<PairId>& pairs, const ExportRequest& request) {
  const HistogramLayout& layout = result.layout;
  const Normalization normalization = request.normalization;
  table.title = "Radial distribution function";
  table.value_label = "g(r)";
  table.facts.push_back({"normalization", to_string(normalization)});
  const ShellVolumes shells(layout.bins, result.blocks);
  if (shells.defined() < layout.bins.count) {
    table.facts.push_back(number_fact("g_defined_up_to",
                                      number_text(layout.bins.edge(shells.defined()))));
  }
  for (const PairId pair : pairs) {
    const std::string name = pair_name(layout.pairs[pair.index()], layout.species);
    table.curves.push_back(real_column(
        name, radial_distribution(layout, result.blocks, shells, pair, normalization)));
    if (request.errors) {
      table.curves.push_back(real_column(
          error_name(name), radial_distribution_errors(layout, result.blocks, shells,
                                                       pair, normalization)));
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
      all_errors = coordination_errors(result.layout, result.blocks, pair);
    }
    std::size_t d = 0;
    for (const Coordination& direction :
         coordination_numbers(result.layout, sum, pair)) {
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
  if (result.blocks.size() < 2) {
    throw InputError(result.path +
                     " holds one block, and errors need two (count with a smaller "
                     "--block, some tens of blocks in all)");
  }
}

}  // namespace

ExportTable make_export_table(const ResultFile& result, const ExportRequest& request) {
  if (result.blocks.empty()) {
    throw InputError(result.path + " holds no block of frames yet");
  }
  const auto pairs = find_pairs(result, request);
  const BlockCounts sum = total(result.blocks);
  const UniformBins bins = result.layout.bins;
  ExportTable table;
  table.length_unit = result.layout.length_unit;
  table.rows = bins.count;
  table.facts = {
      {"quantity", to_string(request.quantity)},
      {"source", result.path},
      {"length_unit", table.length_unit.empty() ? "unknown" : table.length_unit},
      number_fact("r_max", number_text(bins.r_max)),
      number_fact("bin_count", std::to_string(bins.count)),
      number_fact("frames", std::to_string(sum.frames)),
      number_fact("first_frame", std::to_string(sum.first_frame.get())),
      number_fact("last_frame", std::to_string(sum.last_frame.get()))};
  if (bins.below > 0) {
    table.facts.push_back(number_fact("r_min", number_text(bins.r_min())));
  }
  if (result.layout.exclusion != Exclusion::none) {
    table.facts.push_back({"excluded", to_string(result.layout.exclusion)});
  }
  if (request.errors) {
    check_errors(result, request);
    table.facts.push_back(
        {"errors",
         "jackknife over " + std::to_string(result.blocks.size()) + " blocks"});
  }
  table.r = {
      "r", [bins](std::uint32_t k) { return number_text(bin_centre(bins, k)); }, {}};
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

}  // namespace starhist
