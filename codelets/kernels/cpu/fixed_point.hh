#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codelets/kernels/count_pairs.hh"
#include "codelets/kernels/cpu/pair_loop.hh"
#include "codelets/kernels/fixed_point/fixed_lattice.hh"

namespace starhist::kernels::cpu {

/// Positions in fixed point and metric of one block of pairs, for the loops.
struct FixedPoint {
  FixedLattice lattice;
  /// Metric in double precision; set only if lattice.usable is false. Empty if double
  /// precision cannot resolve the bins either.
  std::optional<DoubleMetric> fine;

  /// False: only the defining function can count the block, except for clusters with
  /// images.
  bool usable() const { return lattice.usable || fine; }
  /// x, y, z of the rows of `first` and of all of `second`, each padded at the end.
  std::vector<std::int32_t> first[3];
  std::vector<std::int32_t> second[3];
};

/// Number of entries that the loops may read past the end of a coordinate array.
inline constexpr std::size_t coordinate_padding = 64;

/// Fills `out`, whose memory is reused. Coordinates are omitted if no loop can use
/// them. For a like pair `second` holds all particles and `first` is not set.
void make_fixed_point(const PairBlock& block, FixedPoint& out);

/// A loop over the block, whose rectangle and histogram are not set. Both arguments
/// must outlive it.
PairLoop make_pair_loop(const PairBlock& block, const FixedPoint& fixed);

/// CountedPairs::loop without the instruction set: "searched", "searched in double",
/// "images" or "by definition".
std::string loop_name(const PairLoop& loop);

}  // namespace starhist::kernels::cpu
