#pragma once

#include <vector>

#include "codelets/core/analysis/q_grid.hh"
#include "codelets/core/analysis/shell_volumes.hh"

namespace starhist::analysis {

/// Weight of a distance r in the transform of g(r) - 1 cut at R.
enum class Window {
  none,
  lorch,  ///< sin(pi r/R) / (pi r/R): Lorch, J. Phys. C 2, 229 (1969)
  hann,   ///< (1 + cos(pi r/R)) / 2
};

double window_weight(Window window, double r, double cut);

/// What structure factors and intensities are ratios of. Sums over frames.
struct ScatteringSums {
  double frames = 0.0;
  std::vector<double> particles;           ///< per species: sum of N
  std::vector<std::vector<double>> pairs;  ///< per pair and q: sum of sin(qr)/(qr)

  ScatteringSums& operator+=(const ScatteringSums& other);
  ScatteringSums without(const ScatteringSums& other) const;
  /// For jackknife_error: frames, as the intensity of one without particles is 0.
  double weight() const { return frames; }
  double all_particles() const;
};

/// How the sum over pairs is made.
struct PairSum {
  /// Of an infinite system: the pairs that a uniform distribution would have in each
  /// bin are taken off, which leaves g(r) - 1. Without it the plain Debye sum.
  const ShellVolumes* shells = nullptr;
  std::uint32_t bin_count = 0;  ///< bins below the cut
  Window window = Window::none;
};

/// The sums of groups of consecutive blocks, `group_count` of them at most:
///
///   pairs[p][q] = sum over bins of (n_k - P/V s_k) W(r_k) sin(q r)/(q r)
///
/// with counts n_k, pairs P, shell volumes s_k (of each block; the part in the
/// Wigner-Seitz cell, so that the sum is the average over directions of q of the
/// transform over that cell) and binned_sinc for sin(q r)/(q r).
std::vector<ScatteringSums> scattering_sums(const HistogramLayout& layout,
                                            const std::vector<BlockCounts>& blocks,
                                            const PairSum& how, const QGrid& grid,
                                            std::size_t group_count);

}  // namespace starhist::analysis
