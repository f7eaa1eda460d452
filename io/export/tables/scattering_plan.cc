#include "io/export/tables/scattering_plan.hh"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "codelets/core/analysis/sine_transform.hh"
#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "io/export/analysis_quantities.hh"
#include "io/export/export_columns.hh"

namespace starhist::io {
namespace {

double default_last(const HistogramLayout& layout, double first) {
  const auto angstroms = angstroms_per(layout.length_unit);
  const double most = angstroms ? 30.0 * *angstroms : 100.0;
  return std::max(first, std::min(most, analysis::binning_limits(layout.bins).rigid));
}

/// Smallest multiple of `step` that distances up to r_cut determine; the step itself if
/// all pairs are counted.
double default_first(const AnalysisRequest& request, double step, double r_cut) {
  if (request.debye) {
    return step;
  }
  const double steps = 2.0 * std::numbers::pi / r_cut / step;
  const double first = step * std::ceil(steps - 1e-9);
  return request.q_max && *request.q_max < first ? step : first;
}

constexpr const char* lower_limit_fact = "q_limit_lower";

void check_volume(const ResultFile& result, const AnalysisRequest& request) {
  for (const BlockCounts& block : result.blocks) {
    if (!(block.volume > 0.0)) {
      throw InputError("the transform of g(r) needs a volume, but the boxes of block " +
                       std::to_string(block.index.get()) + " of " + result.path +
                       " are not periodic along all three axes (" +
                       (needs_lags(*request.quantity)
                            ? "count without --open, or give --box"
                            : "--debye sums over all pairs") +
                       ")");
    }
  }
}

void check_debye(const ResultFile& result, const AnalysisRequest& request) {
  const HistogramLayout& layout = result.layout;
  const auto refuse = [](const std::string& option) {
    throw InputError("--debye sums over all pairs as counted: " + option +
                     " has no meaning with it");
  };
  if (request.window != analysis::Window::none) {
    refuse("--window");
  }
  if (request.r_cut) {
    refuse("--r-cut");
  }
  if (request.partials && request.partials != Partials::ashcroft_langreth) {
    refuse("--partials " + to_string(*request.partials) +
           ", which is relative to a uniform density,");
  }
  const BlockCounts all = total(result.blocks);
  for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
    if (all.out_of_range[p] > 0) {
      throw InputError("--debye needs all pairs, but " + grouped(all.out_of_range[p]) +
                       " of " + grouped(all.pairs[p]) + " " +
                       pair_name(layout.pairs[p], layout.species) +
                       " pairs lie beyond r_max " + number_text(layout.bins.r_max) +
                       " (count with a larger --r-max)");
    }
  }
}

/// Adds a caveat to the facts and messages of a Debye sum if some distances exceed half
/// the shortest lattice vector: they are distances to nearest images.
void add_images_caveat(AnalysisTable& made, const ResultFile& result) {
  const UniformBins bins = result.layout.bins;
  std::uint64_t far = 0;
  for (const BlockCounts& block : result.blocks) {
    for (const std::vector<std::uint64_t>& counts : block.counts) {
      for (std::uint32_t k = 0; k < bins.count; ++k) {
        far += bins.edge(k) > block.inscribed_radius ? counts[k] : 0;
      }
    }
  }
  if (far == 0) {
    return;
  }
  const std::string caveat =
      "the boxes are periodic, and " + grouped(far) +
      " distances exceed half the shortest lattice vector, so --debye sums over "
      "nearest images, which describes neither a cluster nor a bulk liquid (count a "
      "cluster of whole molecules in an open box, and leave out --debye for bulk)";
  add_caveat("debye_caveat", caveat, made.table, made.notes);
}

}  // namespace

CutEffect::CutEffect(const analysis::QGrid& grid, const UniformBins& bins,
                     std::uint32_t bin_count)
    : grid_(grid), bins_(bins), bin_count_(bin_count) {
  const double rows = 2.0 * std::numbers::pi / bins.edge(bin_count) / grid.step;
  rows_per_range_ = rows < grid.count
                        ? std::max<std::size_t>(1, static_cast<std::size_t>(rows))
                        : grid.count;
  changes_.fill(std::vector<Change>(range_of(grid.count - 1) + 1));
}

void CutEffect::add(std::size_t cut, const analysis::CurvesWithErrors& curves,
                    const std::vector<std::vector<double>>& shorter) {
  for (std::size_t c = 0; c < shorter.size(); ++c) {
    for (std::size_t i = 0; i < shorter[c].size(); ++i) {
      const double ratio = (shorter[c][i] - curves.values[c][i]) / curves.errors[c][i];
      if (std::isfinite(ratio)) {
        Change& change = changes_[cut][range_of(i)];
        change.squares += ratio * ratio;
        ++change.points;
      }
    }
  }
}

void CutEffect::report(AnalysisTable& made, const std::string& length_unit,
                       analysis::Window window) const {
  // The noise of the last tenth is part of the standard error, so noise gives
  // about 1 at most.
  constexpr double tolerable = 2.0;
  double effect = -1.0;
  std::size_t cut = 0;
  std::size_t range = 0;
  for (std::size_t k = 0; k < cuts; ++k) {
    for (std::size_t of = 0; of < changes_[k].size(); ++of) {
      const Change& change = changes_[k][of];
      const double mean =
          std::sqrt(change.squares / static_cast<double>(change.points));
      if (mean > effect) {  // not of a range without points
        effect = mean;
        cut = k;
        range = of;
      }
    }
  }
  if (effect < 0.0) {
    return;
  }
  effect = std::round(10.0 * effect) / 10.0;
  made.table.facts.push_back(number_fact("r_cut_effect", effect));
  if (effect <= tolerable) {
    return;
  }
  const auto last =
      std::min<std::size_t>((range + 1) * rows_per_range_, grid_.count) - 1;
  const std::string caveat =
      "standard errors leave out the effect of the cut (with r_cut = " +
      rounded_text(bins_.edge(shorter_cut(bin_count_, cut))) + " instead of " +
      rounded_text(bins_.edge(bin_count_)) +
      (length_unit.empty() ? "" : " " + length_unit) + " the curves between q = " +
      rounded_text(grid_.at(static_cast<std::uint32_t>(range * rows_per_range_))) +
      " and " + rounded_text(grid_.at(static_cast<std::uint32_t>(last))) +
      " change by " + number_text(effect) +
      " standard errors on average): use larger distances " +
      "(--r-cut, --r-max, a larger box)" +
      (window == analysis::Window::none ? " or --window lorch" : "");
  add_caveat("r_cut_caveat", caveat, made.table, made.notes);
}

double round_down(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  const double digit = value / power;
  return (digit >= 5.0 ? 5.0 : digit >= 2.0 ? 2.0 : 1.0) * power;
}

void check_q_limit(const UniformBins& bins, double q) {
  const double limit = analysis::binning_limits(bins).absolute;
  if (q > limit) {
    throw InputError(
        "q = " + number_text(q) + " exceeds pi/w = " + number_text(limit) +
        ", the largest q that bins of width w = " + decimal_text(bins.width()) +
        " resolve (lower --q-max, or count with narrower bins)");
  }
}

analysis::QGrid choose_q_grid(const AnalysisRequest& request,
                              const HistogramLayout& layout, double r_cut) {
  const double step =
      request.q_step.value_or(round_down(0.25 * std::numbers::pi / r_cut));
  const double first = request.q_min.value_or(default_first(request, step, r_cut));
  const double last = request.q_max.value_or(default_last(layout, first));
  check_q_limit(layout.bins, last);
  return analysis::make_q_grid(first, last, step);
}

std::string per_unit(const std::string& unit) {
  return unit.empty() ? "unknown" : "1/" + unit;
}

void add_scattering_facts(AnalysisTable& made, const ResultFile& result,
                          const AnalysisRequest& request, const ScatteringPlan& plan) {
  ExportTable& table = made.table;
  const UniformBins bins = result.layout.bins;
  table.facts = source_facts(result, request.quantity->name);
  auto& facts = table.facts;
  facts.push_back({"q_unit", per_unit(result.layout.length_unit)});
  facts.push_back(
      {"method", request.debye ? "Debye sum over all pairs" : "transform of g(r) - 1"});
  if (request.debye) {
    add_images_caveat(made, result);
  } else {
    facts.push_back(number_fact("r_cut", bins.edge(plan.bin_count)));
    if (plan.shells->whole() < plan.bin_count) {
      facts.push_back(number_fact("cut_by_box_from",
                                  decimal_text(bins.edge(plan.shells->whole()))));
    }
    facts.push_back({"window", to_string(request.window)});
    if (request.quantity != &quantities::intermediate_self) {  // needs no g(r)
      facts.push_back(number_fact(lower_limit_fact,
                                  2.0 * std::numbers::pi / bins.edge(plan.bin_count)));
    }
  }
  const analysis::BinningLimits limits = analysis::binning_limits(bins);
  facts.push_back(number_fact("bin_width", bins.width()));
  facts.push_back(number_fact("q_limit_rigid_distances", limits.rigid));
  facts.push_back(number_fact("q_limit_smooth_curves", limits.smooth));
  facts.push_back(number_fact("q_limit", limits.absolute));
  if (plan.grid.last() > limits.rigid * (1.0 + 1e-9)) {
    made.notes.push_back(
        "bins of width " + decimal_text(bins.width()) +
        " limit q: the position of a sharp peak of g(r), such as that from a rigid "
        "bond, is known only to half a bin, which suffices up to q = " +
        number_text(limits.rigid) +
        "; if all peaks are wide, the curve is accurate to 1 % up to q = " +
        number_text(limits.smooth) +
        " (for larger q count with narrower bins, which cost little)");
  }
}

void add_factor_facts(AnalysisTable& made, const HistogramLayout& layout,
                      const SpeciesFactors& species) {
  for (std::size_t s = 0; s < species.sources.size(); ++s) {
    made.table.facts.push_back(
        {"element of " + layout.species[s], species.elements[s]});
    made.table.facts.push_back({"factor of " + layout.species[s], species.sources[s]});
  }
  made.notes.insert(made.notes.end(), species.notes.begin(), species.notes.end());
}

ScatteringPlan plan_scattering(const ResultFile& result,
                               const AnalysisRequest& request) {
  ScatteringPlan plan;
  const UniformBins bins = result.layout.bins;
  if (request.debye) {
    check_debye(result, request);
    plan.bin_count = bins.count;
  } else {
    check_volume(result, request);
    plan.shells.emplace(result.layout, result.blocks);
    plan.bin_count = bins_below_cut(result, request.r_cut, plan.shells->defined(),
                                    "up to where g(r) is defined");
    if (plan.bin_count == 0) {
      throw InputError(
          "no bin of " + result.path +
          " lies in the range where g(r) is defined (count with narrower bins)");
    }
  }
  plan.grid = choose_q_grid(request, result.layout, bins.edge(plan.bin_count));
  return plan;
}

void add_small_q_caveat(AnalysisTable& made, const std::string& length_unit) {
  ExportTable& table = made.table;
  const auto fact =
      std::find_if(table.facts.begin(), table.facts.end(),
                   [](const ExportFact& f) { return f.name == lower_limit_fact; });
  if (fact == table.facts.end()) {
    return;
  }
  const double limit = std::stod(fact->value);
  std::uint32_t below = 0;
  while (below < table.rows && std::stod(table.r.text(below)) < limit) {
    ++below;
  }
  if (below == 0) {
    return;
  }
  const std::string remedy =
      "count with a larger --r-max, or a larger --r-cut up to it";
  const std::string caveat =
      "rows up to q = " + table.r.text(below - 1) + " have no meaning (q below " +
      "2 pi/r_cut = " + rounded_text(limit) +
      (length_unit.empty() ? "" : "/" + length_unit) +
      " is not determined by distances up to r_cut): " +
      (below < table.rows
           ? "leave them out with --q-min " + table.r.text(below) + ", or " + remedy
           : remedy);
  add_caveat("q_caveat", caveat, table, made.notes);
}

void set_q_axis(ExportTable& table, const ResultFile& result,
                const analysis::QGrid& grid) {
  const std::string& unit = result.layout.length_unit;
  table.rows = grid.count;
  table.axis_label = with_unit("q", unit.empty() ? "" : "1/" + unit);
  table.r = decimal_column("q", [grid](std::uint32_t i) { return grid.at(i); });
}

}  // namespace starhist::io
