#pragma once

#include <starpu.h>

namespace starhist::codelets {

/// Adds the CUDA implementation to the codelet of sort_positions_codelet(). Does
/// nothing in a build without CUDA.
void add_cuda_sort(starpu_codelet& codelet);

/// Bytes of scratch memory of a GPU to sort `particles` particles; 0 in a build without
/// CUDA.
std::size_t gpu_sort_bytes(std::size_t particles);

/// Predicted time of a sorting task on a GPU, relative to sorting on an otherwise idle
/// GPU (0, 1]. Less than 1 in a simulation: a simulated GPU has one worker and sorts
/// between counting tasks; a real one sorts concurrently, which costs less.
double gpu_sort_weight();

}  // namespace starhist::codelets
