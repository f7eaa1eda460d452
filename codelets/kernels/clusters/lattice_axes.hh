#pragma once

#include <array>
#include <cstddef>

#include "codelets/core/geometry/minimum_image.hh"

namespace starhist::kernels {

/// Edges that span the cell of a lattice, and the axes of a rectangular box of the same
/// volume, which also holds one image of every particle.
struct LatticeAxes {
  std::array<Vec3, 3> unit{};  ///< axes of the box: orthogonal unit vectors
  /// Edges of the lattice; edge[k] has no component along unit[j], j > k. Zero from
  /// `edges` on.
  std::array<Vec3, 3> edge{};
  std::size_t edges = 0;  ///< number of periodic directions [0, 3]
};

/// Axes derived from the reduced edges in their order.
LatticeAxes axes_of_edges(const MinimumImage& image);

/// The axes nearest to the Cartesian ones, for boxes around clusters along the
/// Cartesian axes: these are then hardly wider than the clusters. Searched among the
/// reduced edges and their sums.
LatticeAxes lattice_axes(const MinimumImage& image);

}  // namespace starhist::kernels
