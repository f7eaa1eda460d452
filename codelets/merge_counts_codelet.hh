#pragma once

#include <starpu.h>

namespace starhist::codelets {

/// STARPU_REDUX methods of a handle of counts (a vector of 64-bit integers): add one
/// worker's replica to another's, and set a replica to zero. They live for the whole
/// program, longer than StarPU.
starpu_codelet* merge_counts_codelet();
starpu_codelet* zero_counts_codelet();

}  // namespace starhist::codelets
