#pragma once

#include "codelets/kernels/clusters/cluster_boxes.hh"
#include "codelets/kernels/fixed_point/fixed_lattice.hh"

namespace starhist::kernels {

/// A statement about all pairs of two clusters.
enum class ClusterClass {
  out_of_range,  ///< the defining function puts every pair out of range
  rounded,       ///< rounding finds the minimum image of every pair in range
  general,       ///< neither is known: images must be searched
};

/// Classifies pairs of clusters by the boxes around them.
///
/// With Selling parameters p_ij = -b_i . b_j >= 0 of the reduced lattice and y_4 = 0,
/// every image of a displacement with fractional coordinates y has the squared length
/// sum p_ij (y_i - y_j)^2 (minimum_image.hh). Modulo 1, |y_i - y_j| is at least the gap
/// between the boxes along it. So the sum over the gaps is a lower bound for the
/// minimum image, in any lattice.
///
/// Rounding is enough where the difference of the boxes lies within the Voronoi cell of
/// the lattice, |d . b_S| < |b_S|^2 / 2 for the facets, and no coordinate wraps around.
class ClusterDistance {
 public:
  /// Compares distances with bins.r_max. The lattice was made for these bins.
  ClusterDistance(const FixedLattice& lattice, const UniformBins& bins);

  /// The class of cluster a of boxes_a and cluster b of boxes_b.
  ClusterClass classify(const ClusterBoxes& boxes_a, std::size_t a,
                        const ClusterBoxes& boxes_b, std::size_t b) const;

  /// Selling parameters 14, 24, 34, 12, 13, 23 [squared bins times 2^-64].
  const double (&selling() const)[6] { return selling_; }
  /// Least squared distance between boxes out of range [squared bins].
  double out_of_range_r2() const { return out_of_range_r2_; }

 private:
  /// The box around all differences of a particle of one cluster and one of the other
  /// [2^-32 of an edge].
  struct Difference {
    std::int32_t centre[3];
    std::uint64_t half[3];
  };
  bool out_of_range(const Difference& d) const;
  bool within_voronoi_cell(const Difference& d) const;

  /// A pair of facets +-b_S.
  struct Facet {
    double along[3];    ///< b_S . b_k, in squared bins times 2^-32
    double half_norm2;  ///< |b_S|^2 / 2, less the error bounds [squared bins]
  };

  double selling_[6];       ///< 14, 24, 34, 12, 13, 23, in squared bins times 2^-64
  double out_of_range_r2_;  ///< least squared distance out of range [bins^2]
  bool skewed_;             ///< the last three Selling parameters are not all 0
  bool searched_;           ///< r_max may exceed the rounding radius
  Facet facet_[6];
};

}  // namespace starhist::kernels
