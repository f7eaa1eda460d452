#pragma once

#include "codelets/core/counting/bins.hh"
#include "codelets/kernels/clusters/cluster_boxes.hh"
#include "codelets/kernels/clusters/image_steps.hh"
#include "codelets/kernels/error_bounds/image_errors.hh"
#include "codelets/kernels/error_bounds/near_images.hh"
#include "codelets/kernels/fixed_point/fixed_lattice.hh"

namespace starhist::kernels {

/// Finds the few lattice vectors that lead to the minimum images of all pairs of two
/// clusters, mostly one.
///
/// With d the shortest displacement of the centres and h the box of what particles
/// add to it, v is needed only if some particles are closer with it, |d + h - v| <
/// |d + h|: where d . v + sum |h . v| >= |v|^2 / 2. ImageSteps lists all v that may be.
class ClusterImages {
 public:
  ClusterImages(const MinimumImage& image, const FixedLattice& lattice,
                const UniformBins& bins);

  /// Their images in `images`; false (and count 0) where they may be too many, or
  /// clusters are too large.
  bool find(const ClusterBoxes& boxes_a, std::size_t a, const ClusterExtent& extent_a,
            const ClusterBoxes& boxes_b, std::size_t b, const ClusterExtent& extent_b,
            NearImages& images) const;

 private:
  static constexpr int padded = 32;  ///< ImageSteps::most, for vectorized loops
  static_assert(padded >= ImageSteps::most);

  /// Coordinates in units of 2^-32 of an edge.
  struct Centre {
    float at[3];
  };
  void find_along(const Centre& centre, int count, float (&along)[padded]) const;

  ImageSteps steps_;
  double rows_[6];            ///< xx, yx, yy, zx, zy, zz in bins times 2^-32
  float along_[3][padded];    ///< v . b_i, in squared bins times 2^-32
  float half_norm2_[padded];  ///< |v|^2 / 2, less all errors
  float norm_[padded];        ///< |v|
  float slack_;               ///< of spreads, in bins, for errors
  double error_abs_;
};

}  // namespace starhist::kernels
