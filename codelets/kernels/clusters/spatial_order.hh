#pragma once

#include <cstdint>
#include <vector>

#include "codelets/kernels/bounds.hh"
#include "codelets/kernels/clusters/spatial_grid.hh"
#include "codelets/kernels/count_pairs.hh"

namespace starhist::kernels {

/// Particles in the order of SpatialGrid's way through the periodic cell (along axes
/// without periodicity through `bounds`), so that particles next to each other in the
/// order are next to each other in space.
///
/// Positions may be unwrapped and must be finite and within `bounds`. Those at one
/// place keep their order, so the result is the same everywhere.
std::vector<std::uint32_t> spatial_order(const PositionSpan& positions,
                                         const MinimumImage& image,
                                         const Bounds& bounds, ClusterAxes clusters);

/// Copies positions in the order within their own bounds to `out`, three numbers each.
void copy_in_spatial_order(const PositionSpan& positions, const MinimumImage& image,
                           ClusterAxes clusters, double* out);

/// What that takes, about, for each particle; README.md has the measurement.
inline constexpr double seconds_to_sort_a_particle = 80e-9;

}  // namespace starhist::kernels
