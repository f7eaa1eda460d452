#pragma once

#include <vector>

#include "codelets/core/analysis/scattering_sums.hh"
#include "codelets/core/analysis/structure_factor.hh"

namespace starhist::analysis {

// Total pair distribution functions of all species, weighted by scattering factors f,
// in the notation of Keen, J. Appl. Cryst. 34, 172 (2001). g_AB is N_A N_B / V times
// the volume of the shell below the ordered pairs of A and B: unlike
// radial_distribution(), a particle counts among its own species, so that 4 pi r^2 rho
// g integrates to neighbour numbers, as in an infinite crystal.

/// Sums over frames, per bin or transformed to wave numbers, from which the total
/// functions follow.
struct TotalSums {
  std::vector<std::vector<double>> pairs;  ///< [pair][bin or q]: counts n
  std::vector<double> uniform;             ///< [bin or q]: s / V [1]
  std::vector<double> particles;           ///< per species: sum of N
  double inverse_volume = 0.0;             ///< sum of 1/V [1 / length^3]
  double frames = 0.0;

  /// Adds `sign` times the other sums.
  void add(const TotalSums& other, double sign = 1.0);
  double weight() const { return frames; }
  double all_particles() const;
  /// Mean number density of all species [1 / length^3].
  double density() const;
};

/// The sums per bin below the cut, of groups of consecutive blocks.
std::vector<TotalSums> total_sums(const std::vector<BlockCounts>& blocks,
                                  const ShellVolumes& shells, std::uint32_t bin_count,
                                  std::size_t group_count);

/// The sums per bin transformed with binned_sinc() to the wave numbers, with whole
/// shells: the counts in shells that the box cuts, from bin `whole` on, are divided by
/// the part of the shell in the box, so that the transform has the same g as the bins.
std::vector<TotalSums> transformed(const std::vector<TotalSums>& sums,
                                   const UniformBins& bins, std::uint32_t whole,
                                   const QGrid& grid);

/// Sum over ordered pairs of species of f_A f_B (n_AB - uniform) per particle, per bin
/// or wave number: of sums per bin the weighted g - 1 times rho and the shell, of
/// transformed sums the distinct scattering i(q). factors[species][bin or q].
std::vector<double> distinct_sum(const HistogramLayout& layout, const TotalSums& sums,
                                 const ScatteringFactors& factors);

/// D(r) = 2/pi times the integral of q i(q) W(q) sin(qr) from 0 to the last q, by
/// Simpson's rule. The grid starts at 0 and has an odd number of wave numbers. W is
/// `window` with its cut at the last q.
std::vector<double> sine_transform_back(const std::vector<double>& i_of_q,
                                        const QGrid& grid, Window window,
                                        const std::vector<double>& r);

/// Functions of r that are printed.
enum class TotalForm {
  g,     ///< tends to 1: 1 + G / <f>^2
  G,     ///< sum of c_A c_B f_A f_B (g_AB - 1): Keen's total radial distribution
  GPDF,  ///< 4 pi r rho (g - 1): the reduced function of PDFgui and diffpy
  D,     ///< 4 pi r rho G: Keen's differential correlation function
  T,     ///< D + 4 pi r rho <f>^2: Keen's total correlation function
  RDF,   ///< 4 pi r^2 rho g: its integral is a weighted number of neighbours
};

/// The function from D(r), <f>^2 and the density.
double total_function(TotalForm form, double r, double d, double squared_mean,
                      double density);

}  // namespace starhist::analysis
