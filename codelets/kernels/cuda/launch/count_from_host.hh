#pragma once

#include "codelets/kernels/cuda/launch/cuda_count_pairs.hh"

namespace starhist::kernels::cuda {

/// count_pairs() on the current device for blocks and counts in host memory: copies
/// both ways and waits. For trials and tests. Throws RunError when CUDA reports an
/// error.
void count_from_host(std::span<const PairBlock> blocks, Variant variant,
                     std::uint64_t* counts);

}  // namespace starhist::kernels::cuda
