#pragma once

#include <cstdint>
#include <vector>

#include "codelets/kernels/count_pairs.hh"
#include "codelets/kernels/fixed_point/fixed_lattice.hh"

namespace starhist::kernels::cpu {

/// Positions and metric of one block of pairs, ready for the loops.
struct FixedPoint {
  FixedLattice lattice;
  std::optional<DoubleMetric> fine;  ///< where lattice.usable is false

  bool usable() const { return lattice.usable || fine; }
  /// x, y, z of the rows of `first` and of all of `second`, each padded at the end.
  std::vector<std::int32_t> first[3];
  std::vector<std::int32_t> second[3];
};

/// The loops may read this many entries past the end of a coordinate array.
inline constexpr std::size_t coordinate_padding = 64;

/// Fills `out`, whose memory is reused; only the lattice if that is not usable. For a
/// like pair `second` holds all particles and `first` stays empty.
void make_fixed_point(const PairBlock& block, FixedPoint& out);

}  // namespace starhist::kernels::cpu
