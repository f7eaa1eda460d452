#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/analysis/jackknife.hh"
#include "codelets/core/analysis/scattering_sums.hh"
#include "io/export/analysis_tables.hh"

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

}  // namespace starhist::io
