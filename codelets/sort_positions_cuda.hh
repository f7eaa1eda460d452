#pragma once

#include <starpu.h>

namespace starhist::codelets {

/// Adds the CUDA implementation to the codelet of sort_positions_codelet(). Does
/// nothing in a build without CUDA.
void add_cuda_sort(starpu_codelet& codelet);

/// Estimated time per particle that a GPU takes to sort [s].
inline constexpr double gpu_seconds_to_sort_a_particle = 1e-9;

/// Bytes of scratch memory of a GPU to sort `particles` particles; 0 in a build without
/// CUDA.
std::size_t gpu_sort_bytes(std::size_t particles);

}  // namespace starhist::codelets
