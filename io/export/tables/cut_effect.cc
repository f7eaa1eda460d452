#include "io/export/tables/cut_effect.hh"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/text.hh"
#include "io/export/export_columns.hh"

namespace starhist::io {

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

}  // namespace starhist::io
