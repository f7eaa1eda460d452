#pragma once

#include <starpu.h>

namespace starhist::codelets {

/// Add the CUDA implementation to the codelet of merge_counts_codelet() and of
/// zero_counts_codelet(). They do nothing in a build without CUDA.
void add_cuda_merge(starpu_codelet& codelet);
void add_cuda_zero(starpu_codelet& codelet);

}  // namespace starhist::codelets
