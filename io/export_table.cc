#include "io/export_table.hh"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

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
  }
}

void add_g(ExportTable& table, const ResultFile& result, const BlockCounts& sum,
           const std::vector<PairId>& pairs, Normalization normalization) {
  const HistogramLayout& layout = result.layout;
  table.title = "Radial distribution function";
  table.value_label = "g(r)";
  table.facts.push_back({"normalization", to_string(normalization)});
  std::optional<ShellVolumes> shells;
  if (sum.volume > 0.0) {
    shells.emplace(layout.bins, result.blocks);
  }
  const std::uint32_t defined = shells ? shells->defined() : 0;
  if (defined < layout.bins.count) {
    table.facts.push_back(
        number_fact("g_defined_up_to", number_text(layout.bins.edge(defined))));
  }
  for (const PairId pair : pairs) {
    table.curves.push_back(real_column(
        pair_name(layout.pairs[pair.index()], layout.species),
        shells
            ? radial_distribution(layout, result.blocks, *shells, pair, normalization)
            : radial_distribution(layout, result.blocks, pair, normalization)));
  }
}

void add_coordination(ExportTable& table, const ResultFile& result,
                      const BlockCounts& sum, const std::vector<PairId>& pairs) {
  const UniformBins bins = result.layout.bins;
  const auto& species = result.layout.species;
  table.title = "Running coordination number";
  table.value_label = "n(r)";
  table.r.text = [bins](std::uint32_t k) { return number_text(bins.edge(k + 1)); };
  for (const PairId pair : pairs) {
    for (const Coordination& direction :
         coordination_numbers(result.layout, sum, pair)) {
      table.curves.push_back(real_column(species[direction.other.index()] + " around " +
                                             species[direction.centre.index()],
                                         direction.value));
    }
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
  table.r = {
      "r", [bins](std::uint32_t k) { return number_text(bin_centre(bins, k)); }, {}};
  switch (request.quantity) {
    case Quantity::counts:
      add_counts(table, result, sum, pairs);
      break;
    case Quantity::g:
      add_g(table, result, sum, pairs, request.normalization);
      break;
    case Quantity::coordination:
      add_coordination(table, result, sum, pairs);
      break;
  }
  return table;
}

}  // namespace starhist
