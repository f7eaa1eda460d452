#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/analysis/jackknife.hh"
#include "codelets/core/analysis/q_grid.hh"
#include "codelets/core/analysis/scattering_sums.hh"
#include "io/export/analysis_tables.hh"
#include "io/export/scattering_factors.hh"

namespace starhist::io {

/// Effect on curves over q of the cut of g(r), relative to their standard errors. A
/// jackknife error cannot contain it, because all blocks have the same cut.
class CutEffect {
 public:
  /// Number of cuts to compare with: g(r) - 1 oscillates, so that one of them may give
  /// the same curves by chance.
  static constexpr std::size_t cuts = 5;
  /// Number of bins below one of these cuts, which are 2, 4, ..., 10 % shorter.
  static std::uint32_t shorter_cut(std::uint32_t bin_count, std::size_t cut) {
    return bin_count - (static_cast<std::uint32_t>(cut + 1) * bin_count + 49) / 50;
  }

  /// `bin_count`: number of bins below the cut of the curves.
  CutEffect(const analysis::QGrid& grid, const UniformBins& bins,
            std::uint32_t bin_count);

  /// Adds the points of curves that have an error; `shorter` are the same curves with
  /// shorter_cut(..., cut).
  void add(std::size_t cut, const analysis::CurvesWithErrors& curves,
           const std::vector<std::vector<double>>& shorter);

  /// Adds the root mean square of the change over the standard error to the facts, for
  /// the cut and the range of q that have the largest, and a message if it exceeds 2.
  void report(AnalysisTable& made, const std::string& length_unit,
              analysis::Window window) const;

 private:
  struct Change {
    double squares = 0.0;  ///< sum of (change / standard error)^2
    std::size_t points = 0;
  };
  std::size_t range_of(std::size_t row) const { return row / rows_per_range_; }

  analysis::QGrid grid_;
  UniformBins bins_;
  std::uint32_t bin_count_;
  /// Ranges of q are 2 pi/r_cut wide, the resolution of curves with that cut. The cut
  /// changes them at small q, where an average over all q would hide it.
  std::size_t rows_per_range_;
  std::array<std::vector<Change>, cuts> changes_;  ///< by range
};

/// Returns the wave numbers of a request. Defaults:
/// - step: pi / (4 r_cut), a quarter of the resolution in q with a cut at r_cut,
///   rounded down to 1, 2 or 5 times a power of ten
/// - first: the first multiple of the step from 2 pi / r_cut on, which distances up to
///   r_cut determine; the step for Debye sums, and if the last q is smaller
/// - last: BinningLimits::rigid, at most 30/Angstrom, or 100 per length unit if the
///   unit is unknown
/// Throws InputError for q <= 0, for q beyond pi / (bin width), where bins carry no
/// information, and like make_q_grid().
analysis::QGrid choose_q_grid(const AnalysisRequest& request,
                              const HistogramLayout& layout, double r_cut);

/// Rounds `value` > 0 down to 1, 2 or 5 times a power of ten.
double round_down(double value);

/// Throws InputError for q beyond pi / (bin width).
void check_q_limit(const UniformBins& bins, double q);

/// Method of the sums over pairs, and their wave numbers.
struct ScatteringPlan {
  std::optional<analysis::ShellVolumes> shells;  ///< empty for a Debye sum
  std::uint32_t bin_count = 0;                   ///< number of bins below the cut
  analysis::QGrid grid;

  analysis::PairSum pair_sum(analysis::Window window) const {
    return {shells ? &*shells : nullptr, bin_count, window};
  }
  /// pair_sum() with a cut to compare with, of CutEffect.
  analysis::PairSum shorter_pair_sum(analysis::Window window, std::size_t cut) const {
    return {shells ? &*shells : nullptr, CutEffect::shorter_cut(bin_count, cut),
            window};
  }
};

/// Returns the plan of a request. Throws InputError for boxes without a volume, and for
/// a cut or q that the bins do not allow; for a Debye sum, if pairs are out of range or
/// options do not apply to it.
ScatteringPlan plan_scattering(const ResultFile& result,
                               const AnalysisRequest& request);

/// Unit of q: "1/nm"; "unknown" for lengths of an unknown unit.
std::string per_unit(const std::string& unit);

/// Adds the facts about a table over q, and a note if its largest q exceeds the range
/// in which sharp peaks are accurate.
void add_scattering_facts(AnalysisTable& made, const ResultFile& result,
                          const AnalysisRequest& request, const ScatteringPlan& plan);
/// Adds element and factor of each species to the facts, and the notes about them.
void add_factor_facts(AnalysisTable& made, const HistogramLayout& layout,
                      const SpeciesFactors& species);
/// Sets the column of q.
void set_q_axis(ExportTable& table, const ResultFile& result,
                const analysis::QGrid& grid);

}  // namespace starhist::io
