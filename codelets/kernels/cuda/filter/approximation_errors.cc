#include "codelets/kernels/cuda/filter/approximation_errors.hh"

namespace starhist::kernels::cuda {

ApproximationErrors approximation_errors(int compute_capability) {
  if (compute_capability == 90) {
    // Found by trying all floats, as tests/cuda/approximations.test.cu does.
    return {{1.2563, 1.6779}, {1.6037, 1.6492}, {2.5535, 2.7041}};
  }
  // Bounds of the PTX ISA: 2^-23 for the root and the inverse, 2^-22.9 for the inverse
  // root, whose product is rounded.
  return {{2.0, 2.0}, {2.0, 2.0}, {3.2, 3.2}};
}

}  // namespace starhist::kernels::cuda
