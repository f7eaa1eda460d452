#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "codelets/core/analysis/jackknife.hh"
#include "codelets/core/analysis/radial_distribution.hh"
#include "codelets/core/analysis/sine_transform.hh"
#include "codelets/core/analysis/total_distribution.hh"
#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/export/analysis_quantities.hh"
#include "io/export/export_columns.hh"
#include "io/export/scattering_factors.hh"
#include "io/export/tables/atoms_of_result.hh"
#include "io/export/tables/scattering_plan.hh"

namespace starhist::io {
namespace {

using analysis::TotalForm;

struct FormFacts {
  const char* name;
  const char* definition;
};

// Same order as analysis::TotalForm.
constexpr std::array<FormFacts, 6> forms{
    {{"g", "1 + G/<f>^2, which tends to 1"},
     {"G", "sum of c_A c_B f_A f_B (g_AB - 1) (G(r) of Keen 2001)"},
     {"GPDF", "4 pi r rho (g - 1) (G(r) of PDFgui and diffpy)"},
     {"D", "4 pi r rho G (D(r) of Keen 2001)"},
     {"T", "D + 4 pi r rho <f>^2 (T(r) of Keen 2001)"},
     {"RDF", "4 pi r^2 rho g, whose integral is a number of neighbours"}}};

/// Wave numbers per period of sin(q R), so that Simpson's rule is right to 1e-4.
constexpr double waves_per_period = 40.0;

TotalForm parse_form(const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t f = 0; f < forms.size(); ++f) {
    if (name == forms[f].name) {
      return static_cast<TotalForm>(f);
    }
    names.emplace_back(forms[f].name);
  }
  throw InputError("form '" + name + "' of pdf is unknown (choose one of " +
                   join(names, ", ") + ")");
}

/// Unit of the function's values.
std::string value_unit(TotalForm form, const std::string& length,
                       const std::string& square) {
  const std::string per_area = length.empty() ? "" : "/" + length + "^2";
  switch (form) {
    case TotalForm::g:
      return "";
    case TotalForm::G:
      return square;
    case TotalForm::GPDF:
      return length.empty() ? "" : "1" + per_area;
    case TotalForm::D:
    case TotalForm::T:
      return square.empty() ? (length.empty() ? "" : "1" + per_area)
                            : square + per_area;
    case TotalForm::RDF:
      return length.empty() ? "" : "1/" + length;
  }
  throw InternalError("unknown form of a total distribution function");
}

/// Everything that the functions of one request share.
class TotalTable {
 public:
  TotalTable(const ResultFile& result, const AnalysisRequest& request)
      : result_(result),
        request_(request),
        form_(parse_form(request.form.empty() ? "g" : request.form)),
        shells_(result.layout, result.blocks) {
    bin_count_ = request.r_cut
                     ? bins_below_cut(result, request.r_cut, shells_.defined(),
                                      "up to where g(r) is defined")
                     : shells_.whole();
    if (bin_count_ == 0) {
      throw InputError("no bin of " + result.path +
                       " lies within half the box (count with narrower bins)");
    }
    note_half_box();
    check_resolution();
    choose_grid();
    choose_r();
    choose_factors();
  }

  AnalysisTable make() {
    ExportTable& table = made_.table;
    const auto form = static_cast<std::size_t>(form_);
    table.title = "Total pair distribution function";
    const bool squares = request_.weights == Weights::neutron;
    table.value_label =
        with_unit(std::string(forms[form].name) + "(r)",
                  value_unit(form_, layout().length_unit, squares ? "fm^2" : ""));
    add_facts();
    auto groups =
        analysis::total_sums(result_.blocks, shells_, bin_count_,
                             request_.errors ? analysis::most_error_groups : 1);
    if (request_.errors) {
      table.facts.push_back(errors_fact(groups.size(), result_.blocks.size()));
    }
    if (grid_.count > 0) {
      groups = analysis::transformed(groups, layout().bins, shells_.whole(), grid_);
    }
    const analysis::CurvesWithErrors curves =
        analysis::jackknife_curves(groups, [&](const analysis::TotalSums& sums) {
          return std::vector<std::vector<double>>{values(sums)};
        });
    add_curve(table, forms[form].name, curves.values[0], curves.errors[0],
              request_.errors);
    table.rows = static_cast<std::uint32_t>(r_.size());
    const std::vector<double> r = r_;
    table.r = decimal_column("r", [r](std::uint32_t i) { return r[i]; });
    return std::move(made_);
  }

 private:
  const HistogramLayout& layout() const { return result_.layout; }

  /// Notes that the functions end at half the box, or that they extend beyond it.
  void note_half_box() {
    const UniformBins bins = layout().bins;
    if (!request_.r_cut && shells_.defined() > bin_count_) {
      made_.notes.push_back(
          "pdf ends at r = " + decimal_text(bins.edge(bin_count_)) +
          unit_suffix(layout().length_unit) +
          ", half the box, beyond which g(r) is right only for isotropic systems such "
          "as liquids: extend it for these with --r-cut " +
          decimal_text(bins.edge(shells_.defined())) +
          "; for a crystal, repeat the cell before counting");
    }
    add_isotropic_caveat(layout(), result_.blocks, bin_count_, made_.table,
                         made_.notes);
  }

  /// Notes a --q-max, perhaps in another unit, that does not resolve the highest peak.
  void check_resolution() {
    if (!request_.q_max || !(*request_.q_max > 0.0)) {
      return;
    }
    const analysis::TotalSums sums =
        analysis::total_sums(result_.blocks, shells_, bin_count_, 1).front();
    double highest = 0.0;
    double peak = 0.0;
    for (std::uint32_t k = 0; k < std::min(bin_count_, shells_.whole()); ++k) {
      double pairs = 0.0;
      for (const std::vector<double>& counts : sums.pairs) {
        pairs += counts[k];
      }
      if (pairs > highest * sums.uniform[k]) {
        highest = pairs / sums.uniform[k];
        peak = analysis::bin_centre(layout().bins, k);
      }
    }
    const double resolved = std::numbers::pi / *request_.q_max;
    if (resolved <= peak) {
      return;
    }
    const std::string unit = unit_suffix(layout().length_unit);
    const std::string& length = layout().length_unit;
    made_.notes.push_back(
        "--q-max " + number_text(*request_.q_max) +
        (length.empty() ? "" : " 1/" + length) +
        " resolves distances from pi/q_max = " + rounded_text(resolved) + unit +
        " on, but the highest peak of g(r) is at " + rounded_text(peak) + unit +
        ": give a larger --q-max, in the reciprocal of the result's length unit");
  }

  void choose_grid() {
    if (!request_.q_max) {
      if (request_.window != analysis::Window::none) {
        throw InputError(
            "--window damps the termination at --q-max, which is not given (give "
            "--q-max, or leave --window out)");
      }
      return;
    }
    if (!(*request_.q_max > 0.0)) {
      throw InputError("--q-max " + number_text(*request_.q_max) +
                       " is not the end of a range from 0 (give a positive number)");
    }
    check_q_limit(layout().bins, *request_.q_max);
    const double r_max = layout().bins.edge(bin_count_);
    const double step = 2.0 * std::numbers::pi / (2.0 * r_max * waves_per_period);
    const double intervals = 2.0 * std::ceil(0.5 * *request_.q_max / step);
    if (intervals > analysis::max_q_count) {
      throw InputError("--q-max " + number_text(*request_.q_max) + " needs more than " +
                       std::to_string(analysis::max_q_count) +
                       " wave numbers (lower --q-max or --r-cut)");
    }
    grid_ = {0.0, *request_.q_max / intervals,
             static_cast<std::uint32_t>(intervals) + 1};
  }

  void choose_r() {
    const UniformBins bins = layout().bins;
    if (!request_.q_max) {
      if (request_.r_step) {
        throw InputError(
            "--r-step is for functions with --q-max (without it there is a value per "
            "bin)");
      }
      for (std::uint32_t k = 0; k < bin_count_; ++k) {
        r_.push_back(analysis::bin_centre(bins, k));
      }
      return;
    }
    const double step =
        request_.r_step.value_or(round_down(0.1 * std::numbers::pi / *request_.q_max));
    const double r_max = bins.edge(bin_count_);
    const double steps = std::floor(r_max / step * (1.0 + 1e-12));
    if (!(steps >= 1.0) || steps > analysis::max_q_count) {
      throw InputError("--r-step " + number_text(step) +
                       " does not fit into the range of r up to " +
                       decimal_text(r_max) + " (give a step between)");
    }
    for (double i = 1.0; i <= steps; i += 1.0) {
      r_.push_back(i * step);
    }
  }

  /// The factors per bin or wave number. In direct space, X-ray factors are those at
  /// q = 0.
  void choose_factors() {
    const analysis::QGrid grid =
        grid_.count > 0 ? grid_ : analysis::QGrid{0.0, 0.0, bin_count_};
    if (request_.weights == Weights::number) {
      factors_.assign(layout().species.size(), std::vector<double>(grid.count, 1.0));
      return;
    }
    const SpeciesFactors species = species_factors(layout(), request_, grid);
    factors_ = species.factors;
    add_factor_facts(made_, layout(), species);
  }

  void add_facts() {
    ExportTable& table = made_.table;
    auto facts = source_facts(result_, request_.quantity->name);
    facts.push_back({"form", std::string(forms[static_cast<std::size_t>(form_)].name) +
                                 ": " +
                                 forms[static_cast<std::size_t>(form_)].definition});
    facts.push_back({"weights", to_string(request_.weights)});
    if (request_.weights == Weights::x_ray) {
      facts.push_back({"weights_of_pairs", grid_.count > 0
                                               ? "c_A c_B f_A f_B / <f>^2 at each q"
                                               : "c_A c_B f_A f_B / <f>^2 at q = 0"});
    }
    facts.push_back(number_fact("r_cut", decimal_text(layout().bins.edge(bin_count_))));
    if (grid_.count > 0) {
      facts.push_back(number_fact("q_max", *request_.q_max));
      facts.push_back(number_fact("q_step", grid_.step));
      facts.push_back({"window", to_string(request_.window)});
    }
    if (request_.q_damp) {
      facts.push_back(number_fact("q_damp", *request_.q_damp));
    }
    table.facts.insert(table.facts.begin(), facts.begin(), facts.end());
  }

  /// Square of the mean factor at wave number or bin i.
  double squared_mean(const analysis::TotalSums& sums, std::size_t i) const {
    double mean = 0.0;
    for (std::size_t s = 0; s < factors_.size(); ++s) {
      mean += sums.particles[s] * factors_[s][i] / sums.all_particles();
    }
    return mean * mean;
  }

  std::vector<double> values(const analysis::TotalSums& sums) const {
    std::vector<double> d = analysis::distinct_sum(layout(), sums, factors_);
    const bool normalized = request_.weights == Weights::x_ray;
    if (normalized) {
      for (std::size_t i = 0; i < d.size(); ++i) {
        d[i] /= squared_mean(sums, i);
      }
    }
    if (grid_.count > 0) {
      d = analysis::sine_transform_back(d, grid_, request_.window, r_);
    } else {
      // From pairs per shell to 4 pi r rho (g - 1): over the volume of the mean shell.
      for (std::size_t i = 0; i < d.size(); ++i) {
        d[i] *= 4.0 * std::numbers::pi * r_[i] * sums.inverse_volume / sums.uniform[i];
      }
    }
    const double mean = normalized ? 1.0 : squared_mean(sums, 0);
    for (std::size_t i = 0; i < d.size(); ++i) {
      const double damped = request_.q_damp.value_or(0.0) * r_[i];
      d[i] *= std::exp(-0.5 * damped * damped);
      d[i] = analysis::total_function(form_, r_[i], d[i], mean, sums.density());
    }
    return d;
  }

  const ResultFile& result_;
  const AnalysisRequest& request_;
  TotalForm form_;
  analysis::ShellVolumes shells_;
  std::uint32_t bin_count_ = 0;
  analysis::QGrid grid_;   ///< no wave numbers in direct space
  std::vector<double> r_;  ///< of the rows
  analysis::ScatteringFactors factors_;
  AnalysisTable made_;
};

}  // namespace

const AnalysisQuantity quantities::total_distribution{
    .name = "pdf",
    .help =
        "total pair distribution function, weighted with form factors or\n"
        "scattering lengths; forms in the notation of Keen (2001):\n"
        "  g     tends to 1\n"
        "  G     sum of c_A c_B f_A f_B (g_AB - 1)\n"
        "  GPDF  4 pi r rho (g - 1), called G(r) by PDFgui and diffpy\n"
        "  D     4 pi r rho G\n"
        "  T     D + 4 pi r rho <f>^2\n"
        "  RDF   4 pi r^2 rho g\n",
    .examples =
        "starhist analyze rdf.h5 --quantity pdf --form GPDF --weights xray "
        "--q-max 250\n",
    .options =
        "errors form weights element experiment r-cut q-max q-damp r-step window",
    .needs = CountsNeeded::all_species_pairs,
    .make_table =
        [](const ResultFile& result, const AnalysisRequest& request) {
          const auto make = [](const ResultFile& own, const AnalysisRequest& asked) {
            return TotalTable(own, asked).make();
          };
          return request.weights == Weights::number
                     ? make(result, request)
                     : table_of_atoms(result, request, make);
        },
};

}  // namespace starhist::io
