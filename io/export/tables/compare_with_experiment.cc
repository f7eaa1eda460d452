#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "io/export/analysis_quantities.hh"
#include "io/export/export_columns.hh"
#include "io/export/tables/measured_curve.hh"

namespace starhist::io {
namespace {

using Values = std::vector<double>;

constexpr std::size_t fewest_common_points = 8;
constexpr double wide_step = 3.0;  ///< a gap, in median steps of the experiment

/// Four digits, for messages.
std::string short_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

Values values_of(const ExportColumn& column, std::uint32_t rows) {
  Values values(rows);
  for (std::uint32_t k = 0; k < rows; ++k) {
    const std::string text = column.text(k);
    values[k] = text.empty() ? std::numeric_limits<double>::quiet_NaN()
                             : std::strtod(text.c_str(), nullptr);
  }
  return values;
}

double median_step(const Values& x) {
  Values steps;
  for (std::size_t k = 1; k < x.size(); ++k) {
    steps.push_back(x[k] - x[k - 1]);
  }
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

/// The curve at `at`, between two of its points; NaN outside, and next to undefined
/// values.
double interpolated(const Values& x, const Values& y, double at) {
  const auto above = std::lower_bound(x.begin(), x.end(), at);
  if (above == x.end() || (above == x.begin() && at < *above)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const auto k = static_cast<std::size_t>(above - x.begin());
  if (*above == at) {
    return y[k];
  }
  const double part = (at - x[k - 1]) / (x[k] - x[k - 1]);
  return y[k - 1] + part * (y[k] - y[k - 1]);
}

bool over_r(const AnalysisRequest& request) {
  return request.quantity == &quantities::total_distribution;
}

/// Dimension of the values: length to this power.
int power_of_values(const AnalysisRequest& request) {
  if (!over_r(request)) {
    return request.form == "F" ? -1 : 0;  // q (S(q) - 1)
  }
  if (request.form == "g" || request.form == "G" || request.form.empty()) {
    return 0;
  }
  return request.form == "RDF" ? -1 : -2;
}

/// Name of the curve to compare: the wanted one, otherwise the last one.
std::string curve_name(const ExportTable& table, const std::string& wanted) {
  std::vector<std::string> names;
  for (const ExportColumn& column : table.curves) {
    if (!column.name.ends_with(error_name(""))) {
      names.push_back(column.name);
    }
  }
  if (wanted.empty()) {
    return names.back();
  }
  if (std::find(names.begin(), names.end(), wanted) == names.end()) {
    throw InputError("--experiment-curve '" + wanted + "' is not one of " +
                     listed(names) + did_you_mean(wanted, names));
  }
  return wanted;
}

/// The column with this name, as numbers; empty without one.
Values find_values(const ExportTable& table, const std::string& name) {
  for (const ExportColumn& column : table.curves) {
    if (column.name == name) {
      return values_of(column, table.rows);
    }
  }
  return {};
}

/// Removes the points outside the range.
void keep_range(MeasuredCurve& curve, const std::pair<double, double>& range) {
  const auto first = std::lower_bound(curve.x.begin(), curve.x.end(), range.first);
  const auto end = std::upper_bound(first, curve.x.end(), range.second);
  const auto from = first - curve.x.begin();
  const auto count = end - first;
  if (count < static_cast<std::ptrdiff_t>(fewest_common_points)) {
    throw InputError("--experiment-range " + short_text(range.first) + "," +
                     short_text(range.second) + " contains " + std::to_string(count) +
                     " points of " + curve.path + ", which has " +
                     short_text(curve.x.front()) + " to " + short_text(curve.x.back()) +
                     " (" + std::to_string(fewest_common_points) +
                     " are needed: give a wider range)");
  }
  for (Values* values : {&curve.x, &curve.y, &curve.errors}) {
    if (!values->empty()) {
      *values = Values(values->begin() + from, values->begin() + from + count);
    }
  }
}

/// The experiment in the result's unit, within the wanted range.
MeasuredCurve measured(const ResultFile& result, const AnalysisRequest& request,
                       const std::string& name, std::vector<std::string>& notes) {
  MeasuredCurve curve =
      read_measured_curve(request.experiment, request.quantity->name, name);
  if (curve.without_error > 0) {
    notes.push_back(curve.path + ": " + std::to_string(curve.without_error) +
                    " points with an error of 0 are left out (points are weighted by "
                    "1/error^2)");
  }
  const std::string& own = result.layout.length_unit;
  if (!curve.unit.empty() && !request.experiment_unit.empty() &&
      curve.unit != request.experiment_unit) {
    throw InputError("--experiment-unit " + request.experiment_unit +
                     " differs from the unit in the header of " + curve.path + " (" +
                     curve.unit + "): leave the option out, or correct the header");
  }
  const std::string given = curve.unit.empty() ? request.experiment_unit : curve.unit;
  if (own.empty() && !given.empty()) {
    throw InputError(
        curve.path + " has lengths in " + given +
        ", but the length unit of the result is unknown (give it with --unit)");
  }
  const std::string unit = given.empty() ? own : given;
  const LengthConversion convert(curve.path, unit, own);
  const bool in_q = !over_r(request);
  if (curve.axis == (in_q ? 'r' : 'q')) {
    throw InputError(curve.path + " is a curve over " + curve.axis +
                     " by its header, but --quantity " + request.quantity->name +
                     " is a curve over " + (in_q ? "q" : "r") +
                     " (they cannot be compared): use --quantity " +
                     (in_q ? "pdf" : "sq, xray or neutron") +
                     ", or correct the header");
  }
  const int power = power_of_values(request);
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    curve.x[k] = convert(curve.x[k], in_q ? -1 : 1);
    curve.y[k] = convert(curve.y[k], power);
    if (!curve.errors.empty()) {
      curve.errors[k] = convert(curve.errors[k], power);
    }
  }
  if (request.experiment_range) {
    keep_range(curve, *request.experiment_range);
  }
  if (given.empty() && !own.empty()) {
    notes.push_back(curve.path + " does not specify its unit: its " +
                    (in_q ? "q is taken as 1/" + own : "r is taken as " + own) +
                    " (--experiment-unit sets it)");
  }
  return curve;
}

/// The points that both curves have.
struct Comparison {
  Values x, computed, computed_error, observed, error;

  /// Factor of the computed curve that minimises R_w.
  double best_scale() const {
    double products = 0.0;
    double squares = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      products += weight(k) * observed[k] * computed[k];
      squares += weight(k) * computed[k] * computed[k];
    }
    return squares > 0.0 ? products / squares : 1.0;
  }
  /// Multiplies the computed curve by `factor`.
  void scale(double factor) {
    for (Values* values : {&computed, &computed_error}) {
      for (double& value : *values) {
        value *= factor;
      }
    }
  }
  /// sqrt(sum w (y_obs - y_calc)^2 / sum w y_obs^2)
  double weighted_residual() const {
    double residuals = 0.0;
    double squares = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double difference = observed[k] - computed[k];
      residuals += weight(k) * difference * difference;
      squares += weight(k) * observed[k] * observed[k];
    }
    return std::sqrt(residuals / squares);
  }
  double weight(std::size_t k) const {
    return error.empty() ? 1.0 : 1.0 / (error[k] * error[k]);
  }
};

Comparison common_points(const ExportTable& table, const std::string& name,
                         const MeasuredCurve& curve) {
  const Values x = values_of(table.r, table.rows);
  const Values y = find_values(table, name);
  const Values errors = find_values(table, error_name(name));
  Comparison common;
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    const double value = interpolated(x, y, curve.x[k]);
    if (!std::isfinite(value)) {
      continue;
    }
    common.x.push_back(curve.x[k]);
    common.computed.push_back(value);
    common.observed.push_back(curve.y[k]);
    if (!errors.empty()) {
      common.computed_error.push_back(interpolated(x, errors, curve.x[k]));
    }
    if (!curve.errors.empty()) {
      common.error.push_back(curve.errors[k]);
    }
  }
  if (common.x.size() < fewest_common_points) {
    throw InputError(
        curve.path + ": " + std::to_string(common.x.size()) +
        " of its points lie in the range of the computed curve (the experiment has " +
        short_text(curve.x.front()) + " to " + short_text(curve.x.back()) +
        ", the curve " + short_text(x.front()) + " to " + short_text(x.back()) +
        "): is --experiment-unit right?");
  }
  return common;
}

/// Messages about points left out, gaps and coarse steps.
void add_range_notes(const MeasuredCurve& curve, const Comparison& common,
                     const ExportTable& table, const std::string& step_option,
                     std::vector<std::string>& notes) {
  const std::size_t outside = curve.x.size() - common.x.size();
  if (outside > 0) {
    notes.push_back(curve.path + ": " + std::to_string(outside) + " of " +
                    std::to_string(curve.x.size()) +
                    " points are outside the range of the computed curve and left out");
  }
  const double step = median_step(common.x);
  for (std::size_t k = 1; k < common.x.size(); ++k) {
    if (common.x[k] - common.x[k - 1] > wide_step * step) {
      notes.push_back(curve.path + ": no points between " +
                      short_text(common.x[k - 1]) + " and " + short_text(common.x[k]) +
                      " (this gap is not compared)");
    }
  }
  const double own_step = median_step(values_of(table.r, table.rows));
  if (own_step > 1.000001 * step) {
    notes.push_back("the computed curve has steps of " + short_text(own_step) +
                    ", wider than the experiment's " + short_text(step) +
                    ", so R_w depends on the interpolation: " + step_option);
  }
}

/// R_w of the experiment and another form of the same data.
struct OtherForm {
  std::string options;  ///< that select it
  double r_w = 0.0;
};

/// R_w of all forms of `request`, and of each with a fitted scale.
std::vector<OtherForm> other_forms(const ResultFile& result,
                                   const AnalysisRequest& request) {
  const bool pdf = over_r(request);
  std::vector<OtherForm> others;
  for (const std::string form : {"g", "G", "GPDF", "D", "T", "RDF", "S", "i", "F"}) {
    const bool over_q = form == "S" || form == "i" || form == "F";
    if (pdf == over_q) {
      continue;
    }
    AnalysisRequest other = request;
    other.form = form;
    other.experiment_curve.clear();
    other.errors = false;
    const AnalysisTable made = request.quantity->make_table(result, other);
    std::vector<std::string> ignored;
    const std::string name = curve_name(made.table, "");
    Comparison common =
        common_points(made.table, name, measured(result, other, name, ignored));
    if (!request.fit_scale) {
      others.push_back({"--form " + form, common.weighted_residual()});
    }
    common.scale(common.best_scale());
    others.push_back({"--form " + form + (request.fit_scale ? "" : " --fit-scale"),
                      common.weighted_residual()});
  }
  return others;
}

/// A message if R_w is so large that the file may contain another form of the curve.
void add_form_note(AnalysisTable& made, const ResultFile& result,
                   const AnalysisRequest& request, double r_w) {
  constexpr double suspicious = 0.2;
  constexpr double far_better = 0.5;  // of R_w
  constexpr double similar = 0.7;     // R_w of zeros, and of a fitted scale of 0, is 1
  if (r_w < suspicious) {
    return;
  }
  const bool has_forms = accepts(*request.quantity, "form") && !request.debye;
  OtherForm best{"", std::min(far_better * r_w, similar)};
  for (const OtherForm& other :
       has_forms ? other_forms(result, request) : std::vector<OtherForm>{}) {
    // A fitted scale always lowers R_w, so it must lower it far to be named.
    const bool fitted = other.options.ends_with("--fit-scale");
    if (other.r_w < (fitted ? far_better : 1.0) * best.r_w) {
      best = other;
    }
  }
  std::string caveat;
  if (!best.options.empty()) {
    caveat =
        request.experiment +
        " may contain another form or scale of the curve (R_w = " + short_text(r_w) +
        ", but " + best.options + " gives R_w = " + short_text(best.r_w) +
        "): check the file's description, and add " + best.options;
  } else if (r_w > 1.0) {
    caveat = "R_w = " + short_text(r_w) + " is above 1, where zeros fit better than " +
             "the computed curve: check " + (has_forms ? "--form, " : "") +
             "--experiment-curve, --experiment-unit and, for measurements without an " +
             "absolute scale, --fit-scale";
  }
  add_caveat("r_w_caveat", caveat, made.table, made.notes);
}

}  // namespace

void compare_with_experiment(AnalysisTable& made, const ResultFile& result,
                             const AnalysisRequest& request) {
  ExportTable& table = made.table;
  const std::string name = curve_name(table, request.experiment_curve);
  const MeasuredCurve curve = measured(result, request, name, made.notes);
  Comparison common = common_points(table, name, curve);
  add_range_notes(curve, common, table,
                  !over_r(request) ? "give --q-step"
                  : request.q_max  ? "give --r-step"
                                   : "count with narrower bins",
                  made.notes);
  const double scale = request.fit_scale ? common.best_scale() : 1.0;
  common.scale(scale);
  Values residual(common.x.size());
  for (std::size_t k = 0; k < residual.size(); ++k) {
    residual[k] = common.observed[k] - common.computed[k];
  }
  const double r_w = common.weighted_residual();
  table.facts.push_back({"experiment", curve.path});
  table.facts.push_back({"experiment_curve", name});
  table.facts.push_back(
      number_fact("experiment_points", static_cast<double>(common.x.size())));
  table.facts.push_back(
      {"experiment_weights", common.error.empty() ? "equal" : "1/error^2"});
  if (request.fit_scale) {
    table.facts.push_back(number_fact("scale", scale));
  }
  table.facts.push_back(number_fact("r_w", r_w));
  made.notes.push_back("R_w = " + short_text(r_w) + " of " + name + " and " +
                       curve.path + ", " + std::to_string(common.x.size()) + " points");
  add_form_note(made, result, request, r_w);
  table.curves.clear();
  add_curve(table, name, common.computed, common.computed_error,
            !common.computed_error.empty());
  add_curve(table, "experiment", common.observed, common.error, !common.error.empty());
  add_curve(table, "residual", std::move(residual), {}, false);
  table.rows = static_cast<std::uint32_t>(common.x.size());
  table.r.text = [x = common.x](std::uint32_t k) { return decimal_text(x[k]); };
}

}  // namespace starhist::io
