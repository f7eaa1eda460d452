#pragma once

#include <starpu.h>

namespace starhist::codelets {

/// Add the CUDA implementation of the reduction's two codelets. They do nothing in a
/// build without CUDA.
void add_cuda_merge(starpu_codelet& codelet);
void add_cuda_zero(starpu_codelet& codelet);

}  // namespace starhist::codelets
