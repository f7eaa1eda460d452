#pragma once

#include <cstdint>
#include <vector>

#include "codelets/kernels/clusters/cluster_boxes.hh"
#include "codelets/kernels/error_bounds/image_errors.hh"
#include "codelets/kernels/fixed_point/fixed_lattice.hh"

namespace starhist::kernels::cpu {

/// Positions relative to the centres of their clusters, in bins and in the frame of
/// FixedLattice::rows, padded at the end.
template <class Real>
struct LocalPositions {
  std::vector<Real> at[3];            ///< x, y, z of each particle
  std::vector<ClusterExtent> extent;  ///< of each cluster

  /// Sets positions and extents for fixed-point coordinates xyz[axis][0 .. particles)
  /// and the boxes around their clusters of `group` particles each. Memory is reused.
  void set(const FixedLattice& lattice, const std::int32_t* const (&xyz)[3],
           std::size_t particles, const ClusterBoxes& boxes, std::size_t group);
};

extern template struct LocalPositions<float>;
extern template struct LocalPositions<double>;

}  // namespace starhist::kernels::cpu
