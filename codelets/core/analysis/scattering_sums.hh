#pragma once

#include <vector>

#include "codelets/core/analysis/q_grid.hh"
#include "codelets/core/analysis/shell_volumes.hh"

namespace starhist::analysis {

/// Weight of a distance r in the transform of g(r) - 1, which is cut off at R.
enum class Window {
  none,
  lorch,  ///< sin(pi r/R) / (pi r/R): Lorch, J. Phys. C 2, 229 (1969)
  hann,   ///< (1 + cos(pi r/R)) / 2
};

/// The weight of r for R = cut [0, 1].
double window_weight(Window window, double r, double cut);

/// Sums over frames whose ratios are structure factors and intensities.
struct ScatteringSums {
  double frames = 0.0;                     ///< number of frames
  std::vector<double> particles;           ///< per species: sum of N
  std::vector<std::vector<double>> pairs;  ///< per pair and q: scattering_sums()

  /// Adds `sign` times the other sums.
  void add(const ScatteringSums& other, double sign = 1.0);
  /// Weight for jackknife_error(): frames. A frame without particles has intensity 0.
  double weight() const { return frames; }
  /// Sum of N over all species.
  double all_particles() const;
};

/// Options of the sum over pairs.
struct PairSum {
  /// Infinite system: the pairs that a uniform distribution would have in each bin are
  /// subtracted, which leaves g(r) - 1. Null: the plain Debye sum.
  const ShellVolumes* shells = nullptr;
  std::uint32_t bin_count = 0;  ///< bins below the cut
  Window window = Window::none;
};

/// The sums of groups of consecutive blocks, `group_count` of them at most:
///
///   pairs[p][q] = sum over bins of (n_k - P/V s_k) W(r_k) sin(q r)/(q r)
///
/// with counts n_k, pairs P, shell volumes s_k and binned_sinc() for sin(q r)/(q r).
/// The term with s_k is only there with PairSum::shells. Shell volumes are those of the
/// part in the Wigner-Seitz cell of each block, so the sum is the average, over
/// directions of q, of the transform over that cell.
std::vector<ScatteringSums> scattering_sums(const HistogramLayout& layout,
                                            const std::vector<BlockCounts>& blocks,
                                            const PairSum& how, const QGrid& grid,
                                            std::size_t group_count);

}  // namespace starhist::analysis
