#pragma once

#include <optional>

#include "codelets/kernels/cuda/kernel_args.hh"
#include "codelets/kernels/fixed_point/bounds.hh"

namespace starhist::cuda {

/// Scale and bounds of a fast distance, for KernelArgs.
struct FastScale {
  float scale = 1.0F;
  Trust trust;
  float orthogonal_edge[3] = {};
  float low = 1.0F;  ///< scale less and plus the error, where it is relative
  float high = 1.0F;
  bool doubt_start = false;  ///< low and high hold from certified_start on
};

/// Relative errors of squared distances from the tensor cores grow towards zero. Where
/// that matters, distances of fewer bins are in doubt.
inline constexpr int certified_start = 32;

/// Of squared distances from the tensor cores, for positions within `bounds`. Nothing
/// where too many pairs would be in doubt.
std::optional<FastScale> tensor_scale(const UniformBins& bins, const Bounds& bounds);

/// Of squared distances in the fixed-point lattice.
std::optional<FastScale> lattice_scale(const FixedLattice& lattice,
                                       const UniformBins& bins);

}  // namespace starhist::cuda
