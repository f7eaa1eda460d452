#pragma once

#include <vector>

#include "codelets/core/analysis/shell_volumes.hh"

namespace starhist::analysis {

/// Sums over frames from which the pair entropy follows.
struct EntropySums {
  std::vector<std::vector<double>> counts;  ///< [pair][bin]
  std::vector<double> pairs_over_volume;    ///< per pair [1 / length^3]
  std::vector<double> particles;            ///< per species: sum of N
  double inverse_volume = 0.0;              ///< sum of 1/V [1 / length^3]
  double frames = 0.0;

  /// Adds `sign` times the other sums.
  void add(const EntropySums& other, double sign = 1.0);
  double weight() const { return frames; }
};

/// The sums over the first `bin_count` bins of at most `group_count` groups of
/// consecutive blocks.
std::vector<EntropySums> entropy_sums(const std::vector<BlockCounts>& blocks,
                                      std::uint32_t bin_count, std::size_t group_count);

/// Pair entropy per particle in units of k_B, integrated up to the upper edge of each
/// bin, which lie within the inscribed radius:
///
///   s2 = -1/2 rho sum_AB c_A c_B integral 4 pi r^2 (g ln g - g + 1) dr
///
/// over ordered pairs of species (Nettleton and Green, J. Chem. Phys. 29, 1365 (1958);
/// mixtures: Hernando, Mol. Phys. 69, 319 (1990)). One curve per pair of the layout,
/// whose sum is s2; 0 for a pair that no frame has. Noise of g adds about -(variance of
/// g)/2 to each term, which narrow bins make large.
std::vector<std::vector<double>> pair_entropy(const HistogramLayout& layout,
                                              const EntropySums& sums);

}  // namespace starhist::analysis
