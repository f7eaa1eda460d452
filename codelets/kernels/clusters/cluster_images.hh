#pragma once

#include "codelets/core/counting/bins.hh"
#include "codelets/kernels/clusters/cluster_boxes.hh"
#include "codelets/kernels/clusters/image_steps.hh"
#include "codelets/kernels/error_bounds/image_errors.hh"
#include "codelets/kernels/error_bounds/near_images.hh"
#include "codelets/kernels/fixed_point/fixed_lattice.hh"

namespace starhist::kernels {

/// Finds the lattice vectors that lead to the minimum images of all pairs of two
/// clusters, usually one.
///
/// Let d be the shortest displacement of the centres, and h any displacement that the
/// particles of both clusters can add to it. A lattice vector v is needed only if it
/// shortens some pair's displacement, |d + h - v| < |d + h|, that is, if d . v + max |h
/// . v| >= |v|^2 / 2. ImageSteps lists all possible v.
class ClusterImages {
 public:
  ClusterImages(const MinimumImage& image, const FixedLattice& lattice,
                const UniformBins& bins);

  /// Sets `images` for cluster a of rows and cluster b of columns, with their extents.
  /// Returns false, with images.count == 0, if more than NearImages::most could be
  /// needed, if the clusters spread too far, or if set_errors() refuses.
  bool find(const ClusterBoxes& boxes_a, std::size_t a, const ClusterExtent& extent_a,
            const ClusterBoxes& boxes_b, std::size_t b, const ClusterExtent& extent_b,
            NearImages& images) const;

 private:
  static constexpr int padded = 32;  ///< ImageSteps::most, rounded up to whole vectors
  static_assert(padded >= ImageSteps::most);

  /// Coordinates in units of 2^-32 of an edge.
  struct Centre {
    float at[3];
  };
  /// along[k] = centre . v_k for k < count [squared bins].
  void find_along(const Centre& centre, int count, float (&along)[padded]) const;

  ImageSteps steps_;
  double rows_[6];            ///< xx, yx, yy, zx, zy, zz in bins times 2^-32
  float along_[3][padded];    ///< v . b_i, in squared bins times 2^-32
  float half_norm2_[padded];  ///< |v|^2 / 2, less the error bounds [squared bins]
  float norm_[padded];        ///< |v| [bins]
  float slack_;               ///< added to spreads for errors [bins]
  double error_abs_;          ///< FixedLattice::lattice_error [bins]
};

}  // namespace starhist::kernels
