#include "io/export/export_table.hh"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "codelets/core/analysis/distribution_errors.hh"
#include "codelets/core/analysis/local_density.hh"
#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "io/export/export_columns.hh"

namespace starhist::io {
namespace {

using Ranges = std::vector<analysis::BinRange>;

/// Molar gas constant [kJ / (mol K)].
constexpr double gas_constant = 8.31446261815324e-3;

/// Fills the table of one request.
class TableMaker {
 public:
  TableMaker(const ResultFile& result, const ExportRequest& request)
      : result_(result), request_(request), pairs_(find_pairs(result, request.pairs)) {
    table_.source = result.path;
    table_.length_unit = result.layout.length_unit;
    table_.facts = source_facts(result, to_string(request.quantity));
    if (request.errors) {
      table_.facts.push_back(errors_fact(result.blocks.size(), result.blocks.size()));
    }
  }

  ExportTable make() {
    set_ranges();
    switch (request_.quantity) {
      case Quantity::counts:
        add_counts();
        break;
      case Quantity::g:
        table_.title = "Radial distribution function";
        table_.value_label = "g(r)";
        add_g();
        break;
      case Quantity::density:
        add_densities();
        break;
      case Quantity::pmf:
        table_.title = "Potential of mean force";
        table_.value_label = !request_.temperature ? "w(r) (kT)"
                             : in_reduced_units()  ? "w(r) (epsilon)"
                                                   : "w(r) (kJ/mol)";
        add_g();
        break;
      case Quantity::coordination:
        add_coordination();
        break;
      case Quantity::second_g:
      case Quantity::second_counts:
        break;  // second_axis_table()
    }
    return std::move(table_);
  }

 private:
  const HistogramLayout& layout() const { return result_.layout; }
  const std::vector<BlockCounts>& blocks() const { return result_.blocks; }
  /// A temperature is then in units of epsilon/k_B.
  bool in_reduced_units() const {
    return layout().length_unit == length_unit_spelling("reduced");
  }
  std::string name_of(PairId pair) const {
    return pair_name(layout().pairs[pair.index()], layout().species);
  }

  ExportColumn edge_column(const std::string& name, bool upper) const {
    const UniformBins bins = layout().bins;
    const Ranges ranges = ranges_;
    return {name, [bins, ranges, upper](std::uint32_t i) {
              const double edge = bins.edge(upper ? ranges[i].last : ranges[i].first);
              return bins.uniform() ? decimal_text(edge) : number_text(edge);
            }};
  }

  void set_ranges() {
    const UniformBins bins = layout().bins;
    ranges_ = analysis::bin_ranges(bins, request_.rebinning);
    if (request_.smooth) {
      const std::uint32_t half = analysis::running_half_width(bins, *request_.smooth);
      const std::uint32_t end = analysis::ShellVolumes(layout(), blocks()).defined();
      ranges_ = analysis::running_ranges(bins, half, end);
      table_.facts.push_back(number_fact("running_mean_over",
                                         decimal_text((2 * half + 1) * bins.width())));
    }
    table_.rows = static_cast<std::uint32_t>(ranges_.size());
    const Ranges ranges = ranges_;
    table_.r = {"r", [ranges](std::uint32_t i) { return decimal_text(ranges[i].r); }};
    if (request_.rebinning.kind != analysis::Rebinning::Kind::each_bin) {
      table_.facts.push_back(
          number_fact("merged_bins", std::to_string(ranges_.size())));
      if (ranges_.back().last < bins.count) {
        table_.facts.push_back(
            number_fact("merged_up_to", decimal_text(bins.edge(ranges_.back().last))));
      }
    }
    if (request_.quantity == Quantity::counts || !bins.uniform() ||
        request_.rebinning.kind != analysis::Rebinning::Kind::each_bin) {
      table_.edges = {edge_column("r_lower", false), edge_column("r_upper", true)};
    }
  }

  /// Adds a curve of each block, made by values(block).
  template <class Values>
  void add_blocks(const std::string& name, Values values) {
    for (std::size_t b = 0; b < blocks().size(); ++b) {
      ExportColumn column = values(b);
      column.name = name + " block " + std::to_string(blocks()[b].index.get());
      column.facts.insert(
          column.facts.begin(),
          {number_fact("first_frame", std::to_string(blocks()[b].first_frame.get())),
           number_fact("last_frame", std::to_string(blocks()[b].last_frame.get()))});
      table_.curves.push_back(std::move(column));
    }
  }

  static void add_count_if_any(ExportColumn& column, const std::string& name,
                               std::uint64_t count) {
    if (count > 0) {
      column.facts.push_back(number_fact(name, std::to_string(count)));
    }
  }

  ExportColumn counts_of(const BlockCounts& block, PairId pair) const {
    const std::size_t p = pair.index();
    std::vector<std::uint64_t> counts;
    for (const analysis::BinRange& range : ranges_) {
      counts.push_back(0);
      for (std::uint32_t k = range.first; k < range.last; ++k) {
        counts.back() += block.counts[p][k];
      }
    }
    ExportColumn column = count_column(name_of(pair), std::move(counts));
    std::uint64_t below = block.underflow[p];
    std::uint64_t above = block.out_of_range[p];
    if (request_.rebinning.kind != analysis::Rebinning::Kind::each_bin) {
      // Bins that do not fill a merged bin, or lie outside the given edges.
      const auto begin = block.counts[p].begin();
      below = std::accumulate(begin, begin + ranges_.front().first, below);
      above =
          std::accumulate(begin + ranges_.back().last, block.counts[p].end(), above);
    }
    column.facts = {number_fact("pairs", std::to_string(block.pairs[p])),
                    number_fact("out_of_range", std::to_string(above))};
    add_count_if_any(column, "excluded_pairs", block.excluded[p]);
    add_count_if_any(column, "underflow", below);
    return column;
  }

  void add_counts() {
    table_.title = "Pair distance histogram";
    table_.value_label = "pairs per bin";
    const BlockCounts sum = total(blocks());
    for (const PairId pair : pairs_) {
      if (request_.per_block) {
        add_blocks(name_of(pair),
                   [&](std::size_t b) { return counts_of(blocks()[b], pair); });
      } else {
        table_.curves.push_back(counts_of(sum, pair));
      }
    }
  }

  /// Converts g(r) and its errors to the potential of mean force, if it is wanted.
  void convert(std::vector<double>& g, std::vector<double>* errors) const {
    if (request_.quantity != Quantity::pmf) {
      return;
    }
    const double unit = in_reduced_units() ? 1.0 : gas_constant;
    const double scale = unit * request_.temperature.value_or(1.0 / unit);
    for (std::size_t i = 0; i < g.size(); ++i) {
      if (errors != nullptr) {
        (*errors)[i] *= scale / g[i];
      }
      g[i] = -scale * std::log(g[i]);
    }
  }

  void add_g() {
    const analysis::Normalization normalization = request_.normalization;
    table_.facts.push_back({"normalization", to_string(normalization)});
    if (request_.temperature) {
      table_.facts.push_back(number_fact("temperature", *request_.temperature));
    }
    const analysis::ShellVolumes shells(layout(), blocks());
    if (shells.defined() < layout().bins.count) {
      table_.facts.push_back(number_fact(
          "g_defined_up_to", decimal_text(layout().bins.edge(shells.defined()))));
    }
    for (const PairId pair : pairs_) {
      if (request_.per_block) {
        add_blocks(name_of(pair), [&](std::size_t b) {
          auto g = analysis::block_radial_distribution(layout(), blocks(), b, shells,
                                                       pair, normalization, ranges_);
          convert(g, nullptr);
          return real_column("", std::move(g));
        });
        continue;
      }
      auto g = analysis::radial_distribution(layout(), blocks(), shells, pair,
                                             normalization, ranges_);
      std::vector<double> errors;
      if (request_.errors) {
        errors = analysis::radial_distribution_errors(blocks(), shells, pair,
                                                      normalization, ranges_);
      }
      convert(g, request_.errors ? &errors : nullptr);
      add_curve(table_, name_of(pair), std::move(g), std::move(errors),
                request_.errors);
    }
  }

  /// True if the second direction of a pair has the first column: B-A was asked for, or
  /// B-A before A-B.
  bool reversed(PairId pair) const {
    for (const CentredPair& direction : request_.directions) {
      if (direction.pair == layout().pairs[pair.index()]) {
        return direction.reversed;
      }
    }
    return false;
  }

  /// Indices of a pair's directions in the order of their columns.
  std::vector<std::size_t> columns_of(PairId pair, std::size_t directions) const {
    std::vector<std::size_t> order(directions);
    std::iota(order.begin(), order.end(), 0);
    if (reversed(pair)) {
      std::reverse(order.begin(), order.end());
    }
    return order;
  }

  std::string around(SpeciesId other, SpeciesId centre) const {
    return layout().species[other.index()] + " around " +
           layout().species[centre.index()];
  }

  void add_densities() {
    const std::string& unit = layout().length_unit;
    table_.title = "Number density around a particle";
    table_.value_label = with_unit(
        "number density rho(r)",
        unit.empty() ? ""
                     : "1/" + unit + "^" + std::to_string(dimension(layout().plane)));
    for (const PairId pair : pairs_) {
      const auto directions =
          analysis::local_densities(layout(), blocks(), pair, ranges_);
      for (const std::size_t d : columns_of(pair, directions.size())) {
        const std::string name = around(directions[d].other, directions[d].centre);
        if (!request_.per_block) {
          add_curve(table_, name, directions[d].value, directions[d].errors,
                    request_.errors);
          continue;
        }
        add_blocks(name, [&](std::size_t b) {
          return real_column(
              "", analysis::local_densities(layout(), {blocks()[b]}, pair, ranges_)[d]
                      .value);
        });
      }
    }
  }

  /// The values at the upper edges of the ranges.
  std::vector<double> at_upper_edges(const std::vector<double>& per_bin) const {
    std::vector<double> values;
    for (const analysis::BinRange& range : ranges_) {
      values.push_back(per_bin[range.last - 1]);
    }
    return values;
  }

  void add_coordination() {
    table_.title = "Running coordination number";
    table_.value_label = "n(r)";
    table_.r = edge_column("r", true);
    const BlockCounts sum = total(blocks());
    const std::uint32_t defined = analysis::coordination_bins(layout(), sum);
    if (defined < layout().bins.count) {
      table_.facts.push_back(
          number_fact("n_defined_up_to", decimal_text(layout().bins.edge(defined))));
    }
    for (const PairId pair : pairs_) {
      std::vector<std::vector<double>> errors;
      if (request_.errors) {
        errors = analysis::coordination_errors(layout(), blocks(), pair);
      }
      const auto directions = analysis::coordination_numbers(layout(), sum, pair);
      for (const std::size_t d : columns_of(pair, directions.size())) {
        const std::string name = around(directions[d].other, directions[d].centre);
        if (!request_.per_block) {
          add_curve(table_, name, at_upper_edges(directions[d].value),
                    request_.errors ? at_upper_edges(errors[d]) : std::vector<double>{},
                    request_.errors);
          continue;
        }
        add_blocks(name, [&](std::size_t b) {
          return real_column("", at_upper_edges(analysis::coordination_numbers(
                                                    layout(), blocks()[b], pair)[d]
                                                    .value));
        });
      }
    }
  }

  const ResultFile& result_;
  const ExportRequest& request_;
  std::vector<PairId> pairs_;
  Ranges ranges_;
  ExportTable table_;
};

void check_errors(const ResultFile& result, const ExportRequest& request) {
  if (request.quantity == Quantity::counts ||
      request.quantity == Quantity::second_counts) {
    throw InputError(
        "counts are exact and have no errors (--errors is for g, density, pmf and "
        "coordination)");
  }
  if (request.per_block) {
    throw InputError(
        "one block has no standard error (--errors needs several blocks): leave out "
        "--errors or --per-block");
  }
  check_blocks_for_errors(result);
}

void check_smooth(const ExportRequest& request) {
  if (request.quantity == Quantity::counts ||
      request.quantity == Quantity::coordination) {
    throw InputError("--smooth has no meaning for --quantity " +
                     to_string(request.quantity) +
                     " (a running mean is for g, density and pmf)");
  }
  if (request.rebinning.kind != analysis::Rebinning::Kind::each_bin) {
    throw InputError(
        "--smooth and --rebin exclude each other (both average over bins): give one");
  }
}

}  // namespace

ExportTable make_export_table(const ResultFile& result, const ExportRequest& request) {
  check_has_blocks(result);
  if (request.errors) {
    check_errors(result, request);
  }
  if (request.smooth) {
    check_smooth(request);
  }
  if (request.temperature && request.quantity != Quantity::pmf) {
    throw InputError("--temperature has no meaning for --quantity " +
                     to_string(request.quantity) + " (it sets the unit of pmf)");
  }
  if (request.quantity == Quantity::second_g ||
      request.quantity == Quantity::second_counts) {
    return second_axis_table(result, request);
  }
  return TableMaker(result, request).make();
}

}  // namespace starhist::io
