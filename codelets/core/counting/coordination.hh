#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/base/contract.hh"
#include "codelets/core/counting/histogram.hh"

namespace starhist {

/// Neighbours of the particles of one species: the particles of another, or of the
/// same, species within a cut-off distance.
struct NeighbourShell {
  SpeciesId centre;     ///< species whose particles have neighbours
  SpeciesId neighbour;  ///< species of the neighbours
  UniformBins bins;     ///< bins.below must be 0
  /// Particles are neighbours if their pair_bin() is below `edge` [1, bins.count].
  std::uint32_t edge = 1;

  double cutoff() const {
    STARHIST_EXPECT(edge >= 1 && edge <= bins.count, "edge is in [1, bins.count]");
    STARHIST_EXPECT(bins.below == 0, "a shell's bins start at distance 0");
    return bins.edge(edge);
  }
  /// The unordered pair of the two species.
  SpeciesPair pair() const {
    return centre.get() <= neighbour.get() ? SpeciesPair{centre, neighbour}
                                           : SpeciesPair{neighbour, centre};
  }

  friend bool operator==(const NeighbourShell&, const NeighbourShell&) = default;
};

/// "O-H" for neighbours H of O.
inline std::string shell_name(const NeighbourShell& shell,
                              const std::vector<std::string>& species) {
  return pair_name({shell.centre, shell.neighbour}, species);
}

/// Particles by their number of neighbours: entry n is the number of particles with n
/// neighbours.
using NeighbourCounts = std::vector<std::uint64_t>;

/// The particles with these numbers of neighbours.
inline NeighbourCounts by_number(const std::vector<std::uint32_t>& counts) {
  NeighbourCounts numbers;
  for (const std::uint32_t count : counts) {
    if (count >= numbers.size()) {
      numbers.resize(count + std::size_t{1});
    }
    ++numbers[count];
  }
  return numbers;
}

/// Adds the particles of other counts.
inline void add(const NeighbourCounts& from, NeighbourCounts& to) {
  to.resize(std::max(to.size(), from.size()));
  for (std::size_t n = 0; n < from.size(); ++n) {
    to[n] += from[n];
  }
}

/// Number of particles, and sum of their numbers of neighbours.
inline std::uint64_t centre_sum(const NeighbourCounts& counts) {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts) {
    sum += count;
  }
  return sum;
}
inline std::uint64_t neighbour_sum(const NeighbourCounts& counts) {
  std::uint64_t sum = 0;
  for (std::size_t n = 0; n < counts.size(); ++n) {
    sum += n * counts[n];
  }
  return sum;
}

}  // namespace starhist
