#pragma once

namespace starhist::kernels::cuda {

/// The true value is at most so much less and more than an approximation, relative to
/// it and in units of 2^-24.
struct ErrorBounds {
  double less;
  double more;
};

/// Of approximations.cuh, for floats in [2^-100, 2^120).
struct ApproximationErrors {
  ErrorBounds root;
  ErrorBounds inverse;
  ErrorBounds product;  ///< x times fast_inverse_root(x), as a root
};

/// For GPUs of a compute capability, 10 * major + minor.
ApproximationErrors approximation_errors(int compute_capability);

}  // namespace starhist::kernels::cuda
