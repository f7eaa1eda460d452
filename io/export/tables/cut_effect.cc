#include "io/export/tables/cut_effect.hh"

#include <cmath>

#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/text.hh"
#include "io/export/export_columns.hh"

namespace starhist::io {

void CutEffect::add(const analysis::CurvesWithErrors& curves,
                    const std::vector<std::vector<double>>& shorter) {
  for (std::size_t c = 0; c < shorter.size(); ++c) {
    for (std::size_t i = 0; i < shorter[c].size(); ++i) {
      const double ratio = (shorter[c][i] - curves.values[c][i]) / curves.errors[c][i];
      if (std::isfinite(ratio)) {
        squares_ += ratio * ratio;
        ++points_;
      }
    }
  }
}

void CutEffect::report(AnalysisTable& made, double cut, double shorter_cut,
                       const std::string& length_unit, analysis::Window window) const {
  if (points_ == 0) {
    return;
  }
  // The noise of the last tenth is part of the standard error, so noise gives
  // about 1 at most.
  constexpr double tolerable = 2.0;
  const double effect =
      std::round(10.0 * std::sqrt(squares_ / static_cast<double>(points_))) / 10.0;
  made.table.facts.push_back(number_fact("r_cut_effect", effect));
  if (effect <= tolerable) {
    return;
  }
  const std::string caveat =
      "standard errors leave out the effect of the cut (with r_cut = " +
      rounded_text(shorter_cut) + " instead of " + rounded_text(cut) +
      (length_unit.empty() ? "" : " " + length_unit) + " the curves change by " +
      number_text(effect) + " standard errors on average): use larger distances " +
      "(--r-cut, --r-max, a larger box)" +
      (window == analysis::Window::none ? " or --window lorch" : "");
  made.table.facts.push_back({"r_cut_caveat", caveat});
  made.notes.push_back(caveat);
}

}  // namespace starhist::io
