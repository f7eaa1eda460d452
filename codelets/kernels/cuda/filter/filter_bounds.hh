#pragma once

#include <optional>

#include "codelets/kernels/bounds.hh"
#include "codelets/kernels/cuda/filter/approximation_errors.hh"
#include "codelets/kernels/cuda/kernel_args.hh"

namespace starhist::kernels::cuda {

/// Scale and error bounds of an approximate distance: members of DistanceFilter of the
/// same meaning (`low` and `high` are scale_low and scale_high). Each function sets
/// those that its certificate uses.
struct FastScale {
  float scale = 1.0F;
  FilterBound filter_bound;
  float orthogonal_edge[3] = {};
  double coordinate_scale = tensor_core_scale;
  float low = 1.0F;
  float high = 1.0F;
  /// Relative errors of squared distances from the tensor cores grow towards zero.
  /// Distances below this are therefore ambiguous [bins]; 0: no such limit.
  float certified_start = 0.0F;
  QuantisedSquares quantised;  ///< set by edge_scale()
};

// Each function returns empty if too many pairs would be ambiguous.
// docs/explanation/certified-counts.md derives the bounds ("GPUs").

/// Scale for RelativeCertificate: squared distances |a|^2 + |b|^2 - 2 a.b from the
/// tensor cores, of vectors no longer than `radius` [bins], if the displacement a - b
/// already has an error of up to `error` [bins].
std::optional<FastScale> tensor_scale(const BinScale& bins, double radius, double error,
                                      const ApproximationErrors& errors);
/// Scale for LocalCertificate. The origin of distances is at most certified_start below
/// the least of them; most distances are less than `spread` beyond the origin [bins].
std::optional<FastScale> local_scale(const BinScale& bins, double spread, double radius,
                                     double error, const ApproximationErrors& errors);
/// Scale for EdgeCertificate.
std::optional<FastScale> edge_scale(const BinScale& bins, double radius, double error,
                                    const ApproximationErrors& errors);

/// Scale for MarginCertificate: distances in the fixed-point lattice.
std::optional<FastScale> lattice_scale(const FixedLattice& lattice,
                                       const BinScale& bins,
                                       const ApproximationErrors& errors);

}  // namespace starhist::kernels::cuda
