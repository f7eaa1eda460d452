#pragma once

namespace starhist::kernels::cuda {

/// Error bounds of an approximation, relative to it, in units of 2^-24 [>= 0].
struct ErrorBounds {
  double less;  ///< largest excess of the approximation over the true value
  double more;  ///< largest excess of the true value over the approximation
};

/// Error bounds of the functions of approximations.cuh for floats in [2^-100, 2^120).
struct ApproximationErrors {
  ErrorBounds root;
  ErrorBounds inverse;
  ErrorBounds product;  ///< x times fast_inverse_root(x), as a root
};

/// The bounds for a compute capability, given as 10 * major + minor.
ApproximationErrors approximation_errors(int compute_capability);

}  // namespace starhist::kernels::cuda
