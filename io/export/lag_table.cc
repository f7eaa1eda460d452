#include "io/export/lag_table.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "codelets/core/analysis/jackknife.hh"
#include "codelets/core/analysis/lags/lag_blocks.hh"
#include "codelets/core/analysis/radial_distribution.hh"
#include "codelets/core/analysis/shell_volumes.hh"
#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "io/export/export_columns.hh"
#include "io/export/export_table.hh"

namespace starhist::io {
namespace {

constexpr std::array lag_quantity_names{"g", "counts", "self", "self-counts", "msd"};

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

using analysis::LagBlocks;

/// Quotient of sums over blocks, and its jackknife error.
struct Estimate {
  double value = not_a_number;
  double error = not_a_number;
};

Estimate quotient(const std::vector<double>& above_of_blocks,
                  const std::vector<double>& below_of_blocks, const LagBlocks& blocks) {
  const std::vector<double> above = blocks.sums(above_of_blocks);
  const std::vector<double> below = blocks.sums(below_of_blocks);
  double all_above = 0.0;
  double all_below = 0.0;
  for (std::size_t b = 0; b < above.size(); ++b) {
    all_above += above[b];
    all_below += below[b];
  }
  if (!(all_below > 0.0)) {
    return {};
  }
  return {all_above / all_below,
          analysis::jackknife_error(blocks.frames, [&](std::size_t b) {
            return (all_above - above[b]) / (all_below - below[b]);
          })};
}

/// A number of counts per bin or a quantity per bin, with errors or without.
struct Curve {
  std::string name;                   ///< pair or species
  std::size_t lag = 0;                ///< index of the lag
  std::vector<std::uint64_t> counts;  ///< empty: values
  std::vector<double> values;
  std::vector<double> errors;
  std::vector<ExportFact> facts;
};

/// The curves of a request: by lag, then by pair or species.
class Curves {
 public:
  /// `of_lags`: blocks for errors. References must outlive this object.
  Curves(const LagResult& result, const LagExportRequest& request,
         const std::vector<LagBlocks>& of_lags)
      : result_(result), request_(request), layout_(result.layout), of_lags_(of_lags) {}

  std::vector<Curve> all() {
    const bool pairs =
        request_.quantity == LagQuantity::g || request_.quantity == LagQuantity::counts;
    if (request_.quantity == LagQuantity::g) {
      shells_ = std::make_unique<analysis::ShellVolumes>(layout_.pairs,
                                                         result_.channels.blocks);
    }
    std::vector<Curve> curves;
    for (std::size_t lag = 0; lag < layout_.lags.size(); ++lag) {
      for (const auto& [name, index] : pairs ? wanted_pairs() : wanted_species()) {
        Curve curve;
        curve.name = name;
        curve.lag = lag;
        pairs ? add_pairs(layout_.channel(lag, PairId(index)), curve)
              : add_displacements(layout_.displacement(lag, SpeciesId(index)), curve);
        curves.push_back(std::move(curve));
      }
    }
    return curves;
  }

  /// Bins up to which g is defined.
  std::uint32_t defined() const {
    return shells_ == nullptr ? layout_.pairs.bins.count : shells_->defined();
  }

  using Named = std::vector<std::pair<std::string, std::uint32_t>>;
  Named wanted_species() const {
    Named wanted;
    const std::vector<std::string>& known = layout_.pairs.species;
    for (std::uint32_t s = 0; s < known.size() && request_.species.empty(); ++s) {
      wanted.emplace_back(known[s], s);
    }
    for (const std::string& name : request_.species) {
      const auto found = std::find(known.begin(), known.end(), name);
      if (found == known.end()) {
        throw InputError("species '" + name + "' is not in " + result_.channels.path +
                         " (it has " + listed(known) + ")" + did_you_mean(name, known));
      }
      wanted.emplace_back(name, static_cast<std::uint32_t>(found - known.begin()));
    }
    return wanted;
  }

 private:
  Named wanted_pairs() const {
    Named wanted;
    for (const PairId pair : find_pairs(result_of_a_lag(result_), request_.pairs)) {
      wanted.emplace_back(
          pair_name(layout_.pairs.pairs[pair.index()], layout_.pairs.species),
          pair.get());
    }
    return wanted;
  }

  void add_pairs(std::size_t channel, Curve& curve) const {
    const std::vector<BlockCounts>& blocks = result_.channels.blocks;
    const PairId id(static_cast<std::uint32_t>(channel));
    if (request_.quantity == LagQuantity::g) {
      const HistogramLayout& channels = result_.channels.layout;
      constexpr auto normalization = analysis::Normalization::pairs_over_volume;
      curve.values =
          analysis::radial_distribution(channels, blocks, *shells_, id, normalization);
      if (request_.errors) {
        add_errors_of_g(channel, curve);
      }
      return;
    }
    curve.counts.resize(layout_.pairs.bins.count);
    std::uint64_t pairs = 0;
    std::uint64_t out_of_range = 0;
    for (const BlockCounts& block : blocks) {
      for (std::size_t k = 0; k < curve.counts.size(); ++k) {
        curve.counts[k] += block.counts[channel][k];
      }
      pairs += block.pairs[channel];
      out_of_range += block.out_of_range[channel];
    }
    curve.facts = {number_fact("pairs", std::to_string(pairs)),
                   number_fact("out_of_range", std::to_string(out_of_range))};
  }

  void add_errors_of_g(std::size_t channel, Curve& curve) const {
    const std::vector<BlockCounts>& blocks = result_.channels.blocks;
    std::vector<double> above(blocks.size());
    std::vector<double> below(blocks.size());
    curve.errors.assign(layout_.pairs.bins.count, not_a_number);
    for (std::uint32_t k = 0; k < shells_->defined(); ++k) {
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        above[b] = static_cast<double>(blocks[b].counts[channel][k]);
        below[b] = blocks[b].pairs_over_volume[channel] * shells_->of(b, k);
      }
      curve.errors[k] = quotient(above, below, of_lags_[curve.lag]).error;
    }
  }

  void add_displacements(std::size_t index, Curve& curve) const {
    const UniformBins& bins = layout_.pairs.bins;
    std::uint64_t particles = 0;
    std::uint64_t out_of_range = 0;
    std::vector<double> below;
    curve.counts.resize(bins.count);
    for (const auto& block : result_.displacements) {
      const DisplacementCounts& own = block[index];
      for (std::size_t k = 0; k < curve.counts.size(); ++k) {
        curve.counts[k] += own.counts[k];
      }
      particles += own.particles;
      out_of_range += own.out_of_range;
      below.push_back(static_cast<double>(own.particles));
    }
    curve.facts = {number_fact("displacements", std::to_string(particles)),
                   number_fact("out_of_range", std::to_string(out_of_range))};
    if (request_.quantity == LagQuantity::self_counts) {
      return;
    }
    std::vector<double> above(below.size());
    for (std::uint32_t k = 0; k < bins.count; ++k) {
      const double volume = analysis::shell_volume(bins, k);
      for (std::size_t b = 0; b < above.size(); ++b) {
        above[b] =
            static_cast<double>(result_.displacements[b][index].counts[k]) / volume;
      }
      const Estimate g = quotient(above, below, of_lags_[curve.lag]);
      curve.values.push_back(g.value);
      curve.errors.push_back(g.error);
    }
    curve.counts.clear();
    if (!request_.errors) {
      curve.errors.clear();
    }
  }

  const LagResult& result_;
  const LagExportRequest& request_;
  const LagLayout& layout_;
  const std::vector<LagBlocks>& of_lags_;
  std::unique_ptr<analysis::ShellVolumes> shells_;
};

/// Adds columns of a curve and, if it has them, its errors.
void add_columns(const std::string& name, const Curve& curve, ExportTable& table) {
  table.curves.push_back(curve.counts.empty() ? real_column(name, curve.values)
                                              : count_column(name, curve.counts));
  table.curves.back().facts = curve.facts;
  if (!curve.errors.empty()) {
    table.curves.push_back(real_column(error_name(name), curve.errors));
  }
}

/// A column per pair or species, with the curves of all lags one after the other.
void add_map(const LagResult& result, const std::vector<Curve>& curves,
             ExportTable& table) {
  const UniformBins bins = result.layout.pairs.bins;
  const std::size_t lags = result.layout.lags.size();
  std::vector<std::uint64_t> lag_column;
  std::vector<double> lag_times;
  for (std::size_t lag = 0; lag < lags; ++lag) {
    lag_column.insert(lag_column.end(), bins.count, result.layout.lags[lag]);
    lag_times.insert(lag_times.end(), bins.count, lag_time(result, lag));
  }
  table.rows = static_cast<std::uint32_t>(lags * bins.count);
  table.r.text = [bins](std::uint32_t row) {
    return number_text(analysis::bin_centre(bins, row % bins.count));
  };
  table.edges.insert(table.edges.begin(),
                     {count_column("lag", lag_column), time_column(lag_times)});
  const std::size_t per_lag = curves.size() / lags;
  for (std::size_t column = 0; column < per_lag; ++column) {
    Curve joined;
    for (std::size_t lag = 0; lag < lags; ++lag) {
      const Curve& own = curves[lag * per_lag + column];
      joined.counts.insert(joined.counts.end(), own.counts.begin(), own.counts.end());
      joined.values.insert(joined.values.end(), own.values.begin(), own.values.end());
      joined.errors.insert(joined.errors.end(), own.errors.begin(), own.errors.end());
    }
    add_columns(curves[column].name, joined, table);
  }
}

/// Mean squared displacements over the lag.
void add_msd(const LagResult& result, const LagExportRequest& request,
             const std::vector<LagBlocks>& of_lags, const Curves& curves,
             ExportTable& table) {
  const LagLayout& layout = result.layout;
  set_lag_axis(result, table);
  for (const auto& [name, species] : curves.wanted_species()) {
    std::vector<double> values;
    std::vector<double> errors;
    for (std::size_t lag = 0; lag < layout.lags.size(); ++lag) {
      std::vector<double> above;
      std::vector<double> below;
      for (const auto& block : result.displacements) {
        const DisplacementCounts& own =
            block[layout.displacement(lag, SpeciesId(species))];
        above.push_back(own.squares);
        below.push_back(static_cast<double>(own.particles));
      }
      const Estimate msd = quotient(above, below, of_lags[lag]);
      values.push_back(msd.value);
      errors.push_back(msd.error);
    }
    add_curve(table, name, values, errors, request.errors);
  }
}

ExportTable make_table(const LagResult& result, const LagExportRequest& request,
                       std::vector<std::string>& notes) {
  const ResultFile& channels = result.channels;
  const UniformBins bins = result.layout.pairs.bins;
  const std::string unit = channels.layout.length_unit;
  check_has_blocks(channels);
  ExportTable table;
  table.source = channels.path;
  table.length_unit = unit;
  table.rows = bins.count;
  table.facts = source_facts(
      channels, lag_quantity_names[static_cast<std::size_t>(request.quantity)]);
  table.facts.push_back(time_unit_fact(channels.layout));
  const std::vector<LagBlocks> of_lags = analysis::lag_blocks(
      result.layout, channels.blocks, result.displacements, channels.blocks.size());
  if (request.errors) {
    check_blocks_for_errors(channels);
    add_errors_of_lags(result, of_lags,
                       request.quantity == LagQuantity::g
                           ? find_pairs(result_of_a_lag(result), request.pairs)
                           : std::vector<PairId>{},
                       table, notes);
  }
  table.r = decimal_column(
      "r", [bins](std::uint32_t k) { return analysis::bin_centre(bins, k); });
  if (request.quantity == LagQuantity::counts ||
      request.quantity == LagQuantity::self_counts) {
    const auto edge = [bins](std::uint32_t row, std::uint32_t side) {
      return decimal_text(bins.edge(row % bins.count + side));
    };
    table.edges = {{"r_lower", [edge](std::uint32_t k) { return edge(k, 0); }},
                   {"r_upper", [edge](std::uint32_t k) { return edge(k, 1); }}};
  }
  Curves curves(result, request, of_lags);
  switch (request.quantity) {
    case LagQuantity::g:
      table.title = "Distinct part of the van Hove function over the density";
      table.value_label = "g(r, t)";
      break;
    case LagQuantity::counts:
      table.title = "Distances of pairs between frames";
      table.value_label = "pairs per bin";
      break;
    case LagQuantity::self:
      table.title = "Self part of the van Hove function";
      table.value_label = with_unit("G_s(r, t)", unit.empty() ? "" : unit + "^-3");
      break;
    case LagQuantity::self_counts:
      table.title = "Displacements between frames";
      table.value_label = "displacements per bin";
      break;
    case LagQuantity::msd:
      table.title = "Mean squared displacement";
      table.value_label = with_unit("mean squared displacement <dr^2>",
                                    unit.empty() ? "" : unit + "^2");
      add_msd(result, request, of_lags, curves, table);
      return table;
  }
  const std::vector<Curve> all = curves.all();
  if (curves.defined() < bins.count) {
    table.facts.push_back(
        number_fact("g_defined_up_to", decimal_text(bins.edge(curves.defined()))));
  }
  if (request.map) {
    add_map(result, all, table);
    return table;
  }
  for (const Curve& curve : all) {
    add_columns(curve_name(result, curve.name, curve.lag), curve, table);
  }
  return table;
}

void check(const LagExportRequest& request) {
  const bool counts = request.quantity == LagQuantity::counts ||
                      request.quantity == LagQuantity::self_counts;
  if (request.errors && counts) {
    throw InputError(
        "counts are exact and have no errors (--errors is for g, self and msd)");
  }
  if (request.map && request.quantity == LagQuantity::msd) {
    throw InputError("--map has no meaning with msd (which has one value per lag)");
  }
  if (request.map && request.format == ExportFormat::xvg) {
    throw InputError(
        "--map writes a table of r, lag and time, which xvg cannot hold "
        "(use --format csv or json)");
  }
}

}  // namespace

ResultFile result_of_a_lag(const LagResult& result) {
  ResultFile of_a_lag;
  of_a_lag.path = result.channels.path;
  of_a_lag.layout = result.layout.pairs;
  return of_a_lag;
}

void add_errors_of_lags(const LagResult& result, const std::vector<LagBlocks>& of_lags,
                        const std::vector<PairId>& pairs, ExportTable& table,
                        std::vector<std::string>& notes) {
  ExportFact how =
      errors_fact(of_lags.front().joined.size(), result.channels.blocks.size());
  if (std::any_of(of_lags.begin(), of_lags.end(),
                  [](const LagBlocks& blocks) { return blocks.shorter; })) {
    how.value += ", joined to at least the length of the lag";
  }
  table.facts.push_back(std::move(how));
  const std::string caveat =
      analysis::error_caveat(result.layout, result.channels.blocks, of_lags, pairs);
  add_caveat("errors_caveat", caveat, table, notes);
}

void set_lag_axis(const LagResult& result, ExportTable& table) {
  const std::vector<std::uint64_t>& lags = result.layout.lags;
  std::vector<double> times;
  for (std::size_t lag = 0; lag < lags.size(); ++lag) {
    times.push_back(lag_time(result, lag));
  }
  table.rows = static_cast<std::uint32_t>(lags.size());
  table.axis_label = "lag (frames)";
  table.r = count_column("lag", lags);
  table.edges = {time_column(times)};
}

double lag_time(const LagResult& result, std::size_t lag) {
  double time = 0.0;
  std::uint64_t frames = 0;
  const std::size_t own = result.layout.displacement(lag, SpeciesId(0));
  for (const std::vector<DisplacementCounts>& block : result.displacements) {
    time += block[own].frames > 0 ? block[own].time : 0.0;
    frames += block[own].frames;
  }
  return frames > 0 ? time / static_cast<double>(frames) : not_a_number;
}

std::string curve_name(const LagResult& result, const std::string& name,
                       std::size_t lag) {
  const double time = lag_time(result, lag);
  const std::string& unit = result.layout.pairs.time_unit;
  return name + " lag " + std::to_string(result.layout.lags[lag]) +
         (std::isnan(time) ? "" : " (" + rounded_text(time) + unit_suffix(unit) + ")");
}

LagQuantity parse_lag_quantity(const std::string& name, const std::string& path) {
  return static_cast<LagQuantity>(
      find_name(lag_quantity_names, name,
                path + " has no quantity " + name +
                    " (it is a result of starhist vanhove): choose one of ",
                ""));
}

std::vector<std::string> write_lag_export(std::ostream& out, const LagResult& result,
                                          const LagExportRequest& request) {
  check(request);
  std::vector<std::string> notes;
  ExportTable table = make_table(result, request, notes);
  if (request.quantity == LagQuantity::g) {
    add_isotropic_caveat(result.layout.pairs, result.channels.blocks,
                         result.layout.pairs.bins.count, table, notes);
  }
  write_table(out, table, request.format, notes);
  return notes;
}

}  // namespace starhist::io
