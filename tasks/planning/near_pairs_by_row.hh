#pragma once

#include <cstddef>
#include <vector>

#include "codelets/core/geometry/minimum_image.hh"
#include "codelets/kernels/bounds.hh"
#include "codelets/kernels/clusters/cluster_boxes.hh"
#include "codelets/kernels/clusters/spatial_grid.hh"

namespace starhist::tasks {

/// Near pairs of a like pair by their rows, for particles spread evenly over the cell
/// (along axes without periodicity: over their bounds) in the spatial order of kernels.
/// Pairs are near if their clusters are. Row i has the near particles after
/// particle i in that order: fewer at the end, and more where the path passes again.
class NearPairsByRow {
 public:
  /// For `count` particles [> 0] in `clusters`, sorted along `axes`; clusters are near
  /// if their boxes are at most `r_max` apart, in the unit of `image` and `bounds`.
  /// Takes about 4 ms.
  NearPairsByRow(const MinimumImage& image, const kernels::Bounds& bounds,
                 std::size_t count, const kernels::ClusterSizes& clusters, double r_max,
                 kernels::ClusterAxes axes = kernels::ClusterAxes::lattice);

  /// Share of the near pairs [0, 1] whose row is in the first fraction `x` [0, 1] of
  /// all rows.
  double before(double x) const;

 private:
  std::vector<double> before_;  ///< at equal steps of x from 0 to 1
};

}  // namespace starhist::tasks
