#pragma once

#include <starpu.h>

namespace starhist::codelets {

/// Adds the CUDA implementation to the codelet of sort_positions_codelet(). Does
/// nothing in a build without CUDA.
void add_cuda_sort(starpu_codelet& codelet);

/// Bytes of scratch memory of a GPU to sort `particles` particles; 0 in a build without
/// CUDA.
std::size_t gpu_sort_bytes(std::size_t particles);

}  // namespace starhist::codelets
