#pragma once

#include <vector>

#include "codelets/core/analysis/shell_volumes.hh"

namespace starhist::analysis {

/// Sums over frames from which the Kirkwood-Buff integrals of one pair follow.
struct KirkwoodBuffSums {
  std::vector<double> counts;      ///< per bin below the cut
  double pairs = 0.0;              ///< sum of P, BlockCounts::pairs
  double pairs_over_volume = 0.0;  ///< sum of P / V [1 / length^3]
  double frames = 0.0;             ///< number of frames
  double volume = 0.0;             ///< sum of V [length^3]

  /// Adds `sign` times the other sums.
  void add(const KirkwoodBuffSums& other, double sign = 1.0);
  /// Weight for jackknife_error(): frames; 0 without a pair, because g(r) is then
  /// undefined.
  double weight() const { return pairs_over_volume > 0.0 ? frames : 0.0; }
};

/// The sums over the first `bin_count` bins of at most `group_count` groups of
/// consecutive blocks.
std::vector<KirkwoodBuffSums> kirkwood_buff_sums(const std::vector<BlockCounts>& blocks,
                                                 PairId pair, std::uint32_t bin_count,
                                                 std::size_t group_count);

/// Correction of the tail of g(r) in a closed system.
enum class TailCorrection {
  none,
  /// g(r) relative to the density of the particles beyond r: g (1 - v(r)/V) / (1 -
  /// n(r)/N), where n(r) of the N other particles are within r and v(r) is the volume
  /// of the ball. Ganguly and van der Vegt, J. Chem. Theory Comput. 9, 1347 (2013).
  ganguly,
};

/// Volume of each shell times g - 1 [length^3], of the bins of sums.counts. Shells are
/// whole spherical shells.
std::vector<double> excess_volumes(const UniformBins& bins,
                                   const KirkwoodBuffSums& sums,
                                   TailCorrection correction);

/// Mean of r^power over a spherical shell [length^power].
double shell_mean(double inner, double outer, int power);

/// Integrals of 4 pi r^2 (g - 1) w(r/R) up to R [length^3], one value per upper bin
/// edge R. Shells are whole spherical shells, so the bins must end within the inscribed
/// radius. g is 1 for an ideal gas of any number of particles.
struct KirkwoodBuffCurves {
  std::vector<double> plain;  ///< w = 1
  /// w = 1 - x^3: Krueger, Schnell, Bedeaux, Kjelstrup, Vlugt and Simon,
  /// J. Phys. Chem. Lett. 4, 235 (2013).
  std::vector<double> krueger;
  /// w = 1 - 23/8 x^3 + 3/4 x^4 + 9/8 x^5, the next order: Krueger and Vlugt,
  /// Phys. Rev. E 97, 051301 (2018).
  std::vector<double> krueger_vlugt;
};

/// The curves from `sums`, one value per bin of sums.counts. Weights w are averaged
/// over each shell exactly, as if g were constant in it, so the error is of second
/// order in the bin width.
KirkwoodBuffCurves kirkwood_buff(const UniformBins& bins, const KirkwoodBuffSums& sums,
                                 TailCorrection correction);

}  // namespace starhist::analysis
