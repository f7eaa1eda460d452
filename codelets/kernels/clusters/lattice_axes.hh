#pragma once

#include <array>
#include <cstddef>

#include "codelets/core/geometry/minimum_image.hh"

namespace starhist::kernels {

/// Edges that span a lattice's cell, and unit vectors along those of the rectangular
/// box which holds one image of every particle just as well.
struct LatticeAxes {
  std::array<Vec3, 3> unit{};  ///< orthogonal
  /// None has a part along the axes that follow; a lattice has as many as it is
  /// periodic in directions, the axes behind them are none of its.
  std::array<Vec3, 3> edge{};
  std::size_t edges = 0;
};

/// Of the reduced edges, in their order.
LatticeAxes axes_of_edges(const MinimumImage& image);

/// Those next to the Cartesian axes: boxes along these, around the parts of such a box,
/// are then hardly wider than the parts. Found among the edges of the lattice, reduced,
/// and their sums.
LatticeAxes lattice_axes(const MinimumImage& image);

}  // namespace starhist::kernels
