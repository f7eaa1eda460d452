#pragma once

#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codelets/core/analysis/integrals/kirkwood_buff.hh"
#include "codelets/core/analysis/scattering_sums.hh"
#include "io/export/export.hh"
#include "io/result/lag_result.hh"

namespace starhist::io {

struct AnalysisQuantity;  // analysis_quantities.hh

/// Kind of partial structure factors (structure_factor.hh).
enum class Partials { faber_ziman, ashcroft_langreth, bhatia_thornton };

/// Weights of the pairs in a total pair distribution function or an intensity.
enum class Weights { number, x_ray, neutron };

/// Convert to and from the names on the command line. Throw InputError for other names.
Partials parse_partials(const std::string& name);
std::string to_string(Partials partials);
Weights parse_weights(const std::string& name);
std::string to_string(Weights weights);
analysis::Window parse_window(const std::string& name);
std::string to_string(analysis::Window window);
analysis::TailCorrection parse_tail_correction(const std::string& name);

/// Options of `starhist analyze`: quantity and output format.
struct AnalysisRequest {
  const AnalysisQuantity* quantity = nullptr;
  ExportFormat format = ExportFormat::csv;
  std::vector<SpeciesPair> pairs;  ///< empty: all pairs
  bool errors = false;  ///< add a column of standard errors after each column

  // The following apply only to structure factors and intensities.
  bool debye = false;  ///< plain sum over all pairs, without g(r) - 1
  /// default: Faber-Ziman; Ashcroft-Langreth for Debye sums and F(q, t)
  std::optional<Partials> partials;
  analysis::Window window = analysis::Window::none;
  /// [1 / length unit]; defaults: choose_q_grid().
  std::optional<double> q_min, q_max, q_step;
  /// Values of q at which F(q, t) has a curve over the lag; empty: curves over q.
  std::vector<double> at_q;
  /// Function of xray and neutron: "S", "i" or "F" instead of I(q)/N and S(q); for pdf
  /// a name of analysis::TotalForm; "": the default.
  std::string form;
  Weights weights = Weights::number;  ///< for pdf and fqt
  /// Step of r with q_max, for pdf [length unit].
  std::optional<double> r_step;
  /// Q_damp of the instrument, for pdf [1 / length unit]: its limited
  /// resolution damps oscillations by exp(-(q_damp r)^2 / 2).
  std::optional<double> q_damp;
  std::map<std::string, double> charges;  ///< by species, for charge
  /// Element or scattering factor by species, for species whose name is not their
  /// element.
  std::map<std::string, std::string> elements;

  /// Largest distance used [length unit]; default: the range in which the quantity is
  /// defined.
  std::optional<double> r_cut;

  /// File of a measured curve with which one curve is compared, or "". For sq,
  /// xray, neutron and pdf.
  std::string experiment;
  std::string experiment_unit;   ///< length unit of `experiment`; "": in its header
  std::string experiment_curve;  ///< name of the curve; "": the last one
  /// Smallest and largest x to compare; default: the range of both curves.
  std::optional<std::pair<double, double>> experiment_range;
  bool fit_scale = false;  ///< scale the computed curve to the measured one

  // The following apply only to Kirkwood-Buff integrals.
  analysis::TailCorrection correction = analysis::TailCorrection::none;
  bool table = false;  ///< values at the cut by several methods instead of curves
  /// Start of the tail whose mean is set to 1 [length unit]; default: 0.8 of the cut.
  std::optional<double> tail;
  /// Diameters of the smallest and largest sub-volume [length unit]; default: from half
  /// the cut to the cut.
  std::optional<std::pair<double, double>> sub_volumes;
};

/// Writes one table. Returns messages for the user. Throws InputError when the quantity
/// cannot be computed from the result, RunError when `out` fails.
std::vector<std::string> write_analysis(std::ostream& out, const ResultFile& result,
                                        const AnalysisRequest& request);

/// Writes one table of fqt, fqt-self or fqt-distinct, like write_analysis().
std::vector<std::string> write_lag_analysis(std::ostream& out, const LagResult& result,
                                            const AnalysisRequest& request);

}  // namespace starhist::io
