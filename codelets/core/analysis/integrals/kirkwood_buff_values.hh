#pragma once

#include <array>
#include <vector>

#include "codelets/core/analysis/integrals/kirkwood_buff.hh"

namespace starhist::analysis {

/// Ranges of bins below the cut, R, that single estimates use.
struct KirkwoodBuffRanges {
  std::uint32_t tail = 0;      ///< first bin of the tail, which ends at R
  std::uint32_t smallest = 0;  ///< bins within the diameter of the smallest sub-volume
  std::uint32_t largest = 0;   ///< bins within the diameter of the largest sub-volume
};

/// Estimates of the Kirkwood-Buff integral of an infinite system [length^3].
struct KirkwoodBuffValues {
  double plain = 0.0;          ///< KirkwoodBuffCurves at R
  double krueger = 0.0;        ///< the same
  double krueger_vlugt = 0.0;  ///< the same
  /// Plain integral of g / (mean of g over the tail) - 1. The tail of a closed system
  /// tends to a constant that differs from 1 by the order of 1/N.
  double shifted_tail = 0.0;
  /// Limit of infinite size of the integrals over spheres of diameter L,
  ///   G(L) = integral up to L of 4 pi r^2 (g - 1) (1 - 3/2 x + 1/2 x^3), x = r/L,
  /// from the least-squares line G(L) = G + F/L through all bin edges L of the range
  /// (Schnell, Liu, Simon, Bardow, Bedeaux, Vlugt and Kjelstrup, J. Phys. Chem. B 115,
  /// 10911 (2011); weight: Krueger et al. 2013).
  double sub_volumes = 0.0;

  static constexpr std::size_t count = 5;
  std::array<double, count> all() const {
    return {plain, krueger, krueger_vlugt, shifted_tail, sub_volumes};
  }
};

/// The estimates from the sums below R. `ranges` hold tail < number of bins and
/// smallest < largest <= number of bins.
KirkwoodBuffValues kirkwood_buff_values(const UniformBins& bins,
                                        const KirkwoodBuffSums& sums,
                                        TailCorrection correction,
                                        const KirkwoodBuffRanges& ranges);

/// Sums for several pairs and the densities of their species.
struct MixtureSums {
  std::vector<KirkwoodBuffSums> pairs;
  std::vector<double> particles;  ///< per species: sum of N
  double frames = 0.0;
  double volume = 0.0;  ///< sum of V [length^3]

  /// Adds `sign` times the other sums.
  void add(const MixtureSums& other, double sign = 1.0);
  /// Weight for jackknife_error(): frames. A group without a pair of particles counts,
  /// because densities depend on it.
  double weight() const { return frames; }
  /// Mean number of a species over the mean volume [1 / length^3].
  double density(SpeciesId species) const {
    return particles[species.index()] / volume;
  }
};

/// The sums over the first `bin_count` bins of at most `group_count` groups of
/// consecutive blocks.
std::vector<MixtureSums> mixture_sums(const std::vector<BlockCounts>& blocks,
                                      const std::vector<PairId>& pairs,
                                      std::uint32_t bin_count, std::size_t group_count);

/// Thermodynamics of a mixture of species 1 and 2 (Ben-Naim, Molecular Theory of
/// Solutions, Oxford 2006, chapter 4), at constant temperature.
struct BinaryMixture {
  /// 1 + d ln(gamma_1) / d ln(x_1) at constant pressure, equal for both species.
  double thermodynamic_factor = 0.0;
  double activity_1 = 0.0;  ///< d ln(a_1) / d ln(rho_1) at constant pressure
  double activity_2 = 0.0;  ///< d ln(a_2) / d ln(rho_2) at constant pressure
  double volume_1 = 0.0;    ///< partial molecular volume of species 1 [length^3]
  double volume_2 = 0.0;    ///< partial molecular volume of species 2 [length^3]
  /// Isothermal compressibility times kT [length^3].
  double compressibility = 0.0;
};

/// From the number densities [1 / length^3] and the integrals [length^3].
BinaryMixture binary_mixture(double rho_1, double rho_2, double g_11, double g_12,
                             double g_22);

}  // namespace starhist::analysis
