#pragma once

#include <cstdint>
#include <string>

#include "codelets/core/analysis/jackknife_curves.hh"
#include "codelets/core/analysis/scattering_sums.hh"
#include "io/export/analysis_tables.hh"

namespace starhist::io {

/// Effect on curves over q of the cut of g(r), relative to their standard errors. A
/// jackknife error cannot contain it, because all blocks have the same cut.
class CutEffect {
 public:
  /// Bins below the cut to compare with: a tenth shorter.
  static std::uint32_t shorter_cut(std::uint32_t bin_count) {
    return bin_count - (bin_count + 9) / 10;
  }

  /// Adds the points of curves that have an error; `shorter` are the same curves with
  /// shorter_cut().
  void add(const analysis::CurvesWithErrors& curves,
           const std::vector<std::vector<double>>& shorter);

  /// Adds the root mean square of the change over the standard error to the facts, and
  /// a message if it exceeds 2.
  void report(AnalysisTable& made, double cut, double shorter_cut,
              const std::string& length_unit, analysis::Window window) const;

 private:
  double squares_ = 0.0;  ///< sum of (change / standard error)^2
  std::size_t points_ = 0;
};

}  // namespace starhist::io
