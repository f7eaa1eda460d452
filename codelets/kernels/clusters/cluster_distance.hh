#pragma once

#include "codelets/kernels/clusters/cluster_boxes.hh"
#include "codelets/kernels/fixed_point/fixed_lattice.hh"

namespace starhist::kernels {

/// What is known of all pairs of two clusters.
enum class ClusterClass {
  out_of_range,  ///< beyond r_max, by the defining function
  rounded,       ///< rounding finds their minimum images, no facet can win
  general,
};

/// What the boxes of two clusters say of the distances of their pairs.
///
/// With Selling parameters p_ij = -b_i . b_j >= 0 of the reduced lattice and y_4 = 0,
/// every image of a displacement with fractional coordinates y has the squared length
/// sum p_ij (y_i - y_j)^2 (minimum_image.hh). Modulo 1, y_i - y_j is no shorter than
/// the gap between the boxes along it, so the sum over the gaps is a lower bound for
/// the minimum image, in any lattice.
///
/// Rounding is enough where the difference of the boxes lies within the Voronoi cell of
/// the lattice, |d . b_S| < |b_S|^2 / 2 for the facets, and nothing wraps around.
class ClusterDistance {
 public:
  /// Distances are compared with bins.r_max.
  ClusterDistance(const FixedLattice& lattice, const UniformBins& bins);

  ClusterClass classify(const ClusterBoxes& boxes_a, std::size_t a,
                        const ClusterBoxes& boxes_b, std::size_t b) const;

 private:
  /// The box of the differences of two clusters.
  struct Difference {
    std::int32_t centre[3];
    std::uint64_t half[3];
  };
  bool out_of_range(const Difference& d) const;
  bool within_voronoi_cell(const Difference& d) const;

  /// A pair of facets +-b_S.
  struct Facet {
    double along[3];    ///< b_S . b_k, in squared bins times 2^-32
    double half_norm2;  ///< |b_S|^2 / 2, less all errors
  };

  double selling_[6];  ///< 14, 24, 34, 12, 13, 23, in squared bins times 2^-64
  double out_of_range_r2_;
  bool skewed_;    ///< the last three are not all 0
  bool searched_;  ///< r_max may reach the facets
  Facet facet_[6];
};

}  // namespace starhist::kernels
