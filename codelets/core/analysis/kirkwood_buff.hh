#pragma once

#include <vector>

#include "codelets/core/analysis/shell_volumes.hh"

namespace starhist::analysis {

/// What Kirkwood-Buff integrals of one pair are made of. Sums over frames.
struct KirkwoodBuffSums {
  std::vector<double> counts;  ///< per bin below the cut
  double pairs = 0.0;
  double pairs_over_volume = 0.0;
  double frames = 0.0;
  double volume = 0.0;

  KirkwoodBuffSums& operator+=(const KirkwoodBuffSums& other);
  KirkwoodBuffSums without(const KirkwoodBuffSums& other) const;
  /// For jackknife_error: frames; 0 where these have no pair, and so no g(r).
  double weight() const { return pairs_over_volume > 0.0 ? frames : 0.0; }
};

/// Of groups of consecutive blocks, as many as `group_count` at most.
std::vector<KirkwoodBuffSums> kirkwood_buff_sums(const std::vector<BlockCounts>& blocks,
                                                 PairId pair, std::uint32_t bin_count,
                                                 std::size_t group_count);

/// How the tail of g(r) of a closed system is mended.
enum class TailCorrection {
  none,
  /// The density that a particle sees beyond r is that of what is left there:
  /// g (1 - v(r)/V) / (1 - n(r)/N), n(r) of the N other particles being within r.
  /// Ganguly and van der Vegt, J. Chem. Theory Comput. 9, 1347 (2013).
  ganguly,
};

/// Integrals of 4 pi r^2 (g - 1) w(r/R) up to R, one value per upper bin edge R.
/// Length^3. The shells are whole spheres, so the bins have to end within the inscribed
/// radius; g is that of the counts, 1 for an ideal gas of any number of particles.
struct KirkwoodBuffCurves {
  std::vector<double> plain;  ///< w = 1
  /// w = 1 - x^3: Krueger, Schnell, Bedeaux, Kjelstrup, Vlugt and Simon,
  /// J. Phys. Chem. Lett. 4, 235 (2013).
  std::vector<double> krueger;
  /// w = 1 - 23/8 x^3 + 3/4 x^4 + 9/8 x^5, the next order: Krueger and Vlugt,
  /// Phys. Rev. E 97, 051301 (2018).
  std::vector<double> krueger_vlugt;
};

/// The weights are averaged over each shell exactly, as if g were constant in it: the
/// error is of second order in the bin width.
KirkwoodBuffCurves kirkwood_buff(const UniformBins& bins, const KirkwoodBuffSums& sums,
                                 TailCorrection correction);

}  // namespace starhist::analysis
