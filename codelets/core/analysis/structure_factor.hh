#pragma once

#include <optional>
#include <vector>

#include "codelets/core/analysis/scattering_sums.hh"

namespace starhist::analysis {

/// Partial structure factors of a pair, one value per q. N_A, N_B are means over
/// frames, `pairs` is ScatteringSums::pairs per frame.
///
/// Ashcroft-Langreth (Phys. Rev. 156, 685 (1967)):
///   S_AB = delta_AB + (2 for A = B, else 1) pairs / sqrt(N_A N_B);
/// Faber-Ziman (Adv. Phys. 14, 153 (1965)), with c_A = N_A / N:
///   S_AB - 1 = (Ashcroft-Langreth - delta_AB) / sqrt(c_A c_B).
///
/// Both contain rho times the transform of g - 1. For a like pair rho is the density
/// (N_A - 1)/V of the other particles, so that S = 1 for an ideal gas of any N. NaN
/// where a species has no particles.
std::vector<double> ashcroft_langreth(const HistogramLayout& layout,
                                      const ScatteringSums& sums, PairId pair);
std::vector<double> faber_ziman(const HistogramLayout& layout,
                                const ScatteringSums& sums, PairId pair);

/// Partial structure factors of Bhatia and Thornton (Phys. Rev. B 2, 3004 (1970)) of
/// numbers and concentrations: S_NN, S_NC and S_CC, from the Faber-Ziman partials of
/// two species and all their pairs.
std::vector<std::vector<double>> bhatia_thornton(const HistogramLayout& layout,
                                                 const ScatteringSums& sums);

/// factors[s][q]: form factor [electrons] or scattering length [fm] of species s.
using ScatteringFactors = std::vector<std::vector<double>>;

/// Mean over frames of I(q) = sum_A N_A f_A^2 + 2 sum_pairs f_A f_B pairs. `layout`
/// needs all pairs of its species (missing_pair()).
std::vector<double> intensity(const HistogramLayout& layout, const ScatteringSums& sums,
                              const ScatteringFactors& factors);

/// I(q)/N: the intensity per particle.
std::vector<double> intensity_per_particle(const HistogramLayout& layout,
                                           const ScatteringSums& sums,
                                           const ScatteringFactors& factors);

/// Mean of f^2 and square of the mean of f over all particles, per q.
std::vector<double> mean_square_factor(const ScatteringSums& sums,
                                       const ScatteringFactors& factors);
std::vector<double> squared_mean_factor(const ScatteringSums& sums,
                                        const ScatteringFactors& factors);

/// Total structure factor of Faber and Ziman, 1 + (I/N - <f^2>) / <f>^2. NaN where
/// <f> = 0.
std::vector<double> total_structure_factor(const HistogramLayout& layout,
                                           const ScatteringSums& sums,
                                           const ScatteringFactors& factors);

/// A pair of the layout's species that the layout lacks, if any.
std::optional<SpeciesPair> missing_pair(const HistogramLayout& layout);

}  // namespace starhist::analysis
