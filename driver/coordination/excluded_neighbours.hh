#pragma once

#include <cstdint>
#include <vector>

#include "codelets/core/counting/coordination.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::driver {

/// Particles within the cut-off that do not count as neighbours: the particle itself,
/// and those that an exclusion leaves out. PairExclusions checks the frames.
class ExcludedNeighbours {
 public:
  ExcludedNeighbours(const NeighbourShell& shell, Exclusion exclusion,
                     const io::TrajectoryInfo& info);

  /// Subtracts them from the numbers of particles within the cut-off, by particle of
  /// the centre species. Throws InputError if species that are selected in each frame
  /// share particles that the frame does not identify.
  void subtract(const Frame& frame, std::vector<std::uint32_t>& counts) const;

 private:
  std::vector<std::uint32_t> within_compounds(const Frame& frame) const;
  void subtract_itself(const Frame& frame, std::vector<std::uint32_t>& counts) const;

  const NeighbourShell shell_;
  const Exclusion exclusion_;
  std::vector<char>
      is_shared_;  ///< by centre: it is a neighbour species' particle, too
  /// Range in partners_ of the particles of a centre's compound, by centre.
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> end_;
  std::vector<std::uint32_t> partners_;  ///< particles of the neighbour species
};

}  // namespace starhist::driver
