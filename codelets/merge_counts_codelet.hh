#pragma once

#include <starpu.h>

namespace starhist::codelets {

/// STARPU_REDUX methods of a handle of counts (a vector of 64-bit integers):
/// add one worker's counts to another's, and the neutral element. They live for the
/// whole program, longer than StarPU.
starpu_codelet* merge_counts_codelet();
starpu_codelet* zero_counts_codelet();

}  // namespace starhist::codelets
