#pragma once

#include "codelets/kernels/cuda/filter/approximation_errors.hh"

namespace starhist::testing {

/// Largest errors of approximations.cuh on this GPU, of all floats in
/// [2^from, 2^to).
kernels::cuda::ApproximationErrors largest_errors(int from, int to);

}  // namespace starhist::testing
