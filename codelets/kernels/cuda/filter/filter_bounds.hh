#pragma once

#include <optional>

#include "codelets/kernels/bounds.hh"
#include "codelets/kernels/cuda/filter/approximation_errors.hh"
#include "codelets/kernels/cuda/kernel_args.hh"

namespace starhist::kernels::cuda {

/// Scale and bounds of a fast distance, for KernelArgs.
struct FastScale {
  float scale = 1.0F;
  FilterBound filter_bound;
  float orthogonal_edge[3] = {};
  double coordinate_scale = tensor_core_scale;  ///< of a bin, for the tensor cores
  float low = 1.0F;  ///< scale less and plus the error, where it is relative
  float high = 1.0F;
  /// Relative errors of squared distances from the tensor cores grow towards zero.
  /// Where that matters, distances below so many bins are ambiguous.
  float certified_start = 0.0F;
  QuantisedSquares quantised;  ///< by edge_scale()
};

/// Of squared distances |a|^2 + |b|^2 - 2 a.b of vectors up to `radius` from the tensor
/// cores, where the displacement a - b is off by `error` already; both in bins. Nothing
/// where too many pairs would be ambiguous.
std::optional<FastScale> tensor_scale(const UniformBins& bins, double radius,
                                      double error, const ApproximationErrors& errors);
/// The same for LocalCertificate, if distances are taken from certified_start before
/// the least of them at most, and so many bins farther as a rule.
std::optional<FastScale> local_scale(const UniformBins& bins, double spread,
                                     double radius, double error,
                                     const ApproximationErrors& errors);
/// The same for EdgeCertificate.
std::optional<FastScale> edge_scale(const UniformBins& bins, double radius,
                                    double error, const ApproximationErrors& errors);

/// Of squared distances in the fixed-point lattice.
std::optional<FastScale> lattice_scale(const FixedLattice& lattice,
                                       const UniformBins& bins,
                                       const ApproximationErrors& errors);

}  // namespace starhist::kernels::cuda
