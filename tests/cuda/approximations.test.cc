// Errors of this GPU's special function units are within the bounds of the
// certificates.
#include "tests/cuda/approximations.hh"

#include <cuda_runtime.h>

#include "tests/cuda/gpu_only.hh"

namespace starhist::testing {
namespace {

TEST_CASE("GPU: roots and inverses of all floats are within their bounds") {
  if (skipped()) {
    return;
  }
  int major = 0;
  int minor = 0;
  check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  check_cuda(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
  const kernels::cuda::ApproximationErrors allowed =
      kernels::cuda::approximation_errors(10 * major + minor);
  const kernels::cuda::ApproximationErrors seen = largest_errors(-100, 120);
  INFO("compute capability " << major << '.' << minor);
  CHECK(seen.root.less <= allowed.root.less);
  CHECK(seen.root.more <= allowed.root.more);
  CHECK(seen.inverse.less <= allowed.inverse.less);
  CHECK(seen.inverse.more <= allowed.inverse.more);
  CHECK(seen.product.less <= allowed.product.less);
  CHECK(seen.product.more <= allowed.product.more);
}

}  // namespace
}  // namespace starhist::testing
