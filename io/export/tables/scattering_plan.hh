#pragma once

#include <optional>

#include "codelets/core/analysis/scattering_sums.hh"
#include "io/export/analysis_tables.hh"
#include "io/export/scattering_factors.hh"
#include "io/export/tables/cut_effect.hh"

namespace starhist::io {

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
