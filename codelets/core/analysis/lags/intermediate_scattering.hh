#pragma once

#include <vector>

#include "codelets/core/analysis/lags/lag_blocks.hh"
#include "codelets/core/analysis/scattering_sums.hh"
#include "codelets/core/analysis/structure_factor.hh"
#include "codelets/core/counting/lag_layout.hh"

namespace starhist::analysis {

/// Sums over the frames of one lag whose ratios are intermediate scattering functions.
struct IntermediateSums {
  /// ScatteringSums of the frames that have an origin, with one entry per pair of
  /// LagLayout::pairs. Like pairs are counted once at each lag, as within a frame, so
  /// that the functions of structure_factor.hh apply.
  ScatteringSums distinct;
  /// Per species and q: sum over displacements of sin(q r)/(q r), by binned_sinc();
  /// their number at lag 0.
  std::vector<std::vector<double>> self;

  /// Adds `sign` times the other sums.
  void add(const IntermediateSums& other, double sign = 1.0);
  void operator+=(const IntermediateSums& other) { add(other); }
  /// Weight for jackknife_error(): frames.
  double weight() const { return distinct.weight(); }
};

/// The sums of the joined blocks of each lag, [lag][joined block]. `of_lags`:
/// lag_blocks(). `blocks` have the channels of the layout, `how` is for
/// channels_of(layout). Displacements out of the bins are left out of the sums.
std::vector<std::vector<IntermediateSums>> intermediate_sums(
    const LagLayout& layout, const std::vector<BlockCounts>& blocks,
    const std::vector<std::vector<DisplacementCounts>>& displacements,
    const PairSum& how, const QGrid& grid, const std::vector<LagBlocks>& of_lags);

// Intermediate scattering functions (van Hove, Phys. Rev. 95, 249 (1954); Hansen and
// McDonald, Theory of Simple Liquids, section 7.4), one value per q. rho_A is the sum
// of exp(i q r) over the particles of A. NaN without frames.

/// Self part of a species, F_s(q, t) = <exp(i q dr)>; 1 at t = 0.
std::vector<double> self_intermediate(const IntermediateSums& sums, SpeciesId species);

/// Partial function of a pair, F_AB(q, t) = <rho_A(0)* rho_B(t)> / sqrt(N_A N_B). At t
/// = 0 it is ashcroft_langreth(). For like pairs it contains the self part.
std::vector<double> partial_intermediate(const HistogramLayout& pairs,
                                         const IntermediateSums& sums, PairId pair);
/// The distinct part of it.
std::vector<double> distinct_intermediate(const HistogramLayout& pairs,
                                          const IntermediateSums& sums, PairId pair);

/// F(q, t) of all particles as one species; total_structure_factor() at t = 0. Needs
/// all pairs (missing_pair()). Pairs A-B and B-A of unlike species, of which one is
/// counted, have equal means in equilibrium.
std::vector<double> total_intermediate(const HistogramLayout& pairs,
                                       const IntermediateSums& sums);

/// Coherent intensity per particle, I(q, t)/N = sum_A c_A f_A^2 F_s,A +
/// sum_{A <= B} (2 - delta_AB) sqrt(c_A c_B) f_A f_B F_d,AB; intensity_per_particle()
/// at t = 0. Needs all pairs, as total_intermediate().
std::vector<double> intermediate_intensity(const HistogramLayout& pairs,
                                           const IntermediateSums& sums,
                                           const ScatteringFactors& factors);

}  // namespace starhist::analysis
