#pragma once

#include <optional>

#include "codelets/core/analysis/q_grid.hh"
#include "codelets/core/analysis/scattering_sums.hh"
#include "io/export/analysis_tables.hh"
#include "io/export/scattering_factors.hh"
#include "io/export/tables/cut_effect.hh"

namespace starhist::io {

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
  /// pair_sum() with a cut to compare with (cut_effect.hh).
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
