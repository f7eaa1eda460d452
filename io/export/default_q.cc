#include "io/export/default_q.hh"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "codelets/core/analysis/sine_transform.hh"
#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"

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

}  // namespace

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

}  // namespace starhist::io
