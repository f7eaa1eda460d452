#pragma once

#include <optional>

#include "codelets/kernels/fixed_point/fixed_lattice.hh"

namespace starhist::kernels {

/// The fixed point of an OrthogonalSublattice.
struct CentredLattice {
  /// An orthogonal lattice, whose axis 0 has the longest edge. FastMetric::error_abs
  /// includes OrthogonalSublattice::deviation.
  FixedLattice lattice;
  bool halved[3] = {};  ///< OrthogonalSublattice::halved
};

/// Empty if the lattice of `image` has no such sublattice, or one that deviates by more
/// than most_deviation_in_bins.
std::optional<CentredLattice> make_centred_lattice(const MinimumImage& image,
                                                   const BinScale& bins,
                                                   const Bounds& bounds);

}  // namespace starhist::kernels
