#pragma once

#include <functional>
#include <optional>

#include "codelets/kernels/second_axis_pairs.hh"

namespace starhist::codelets {

/// kernels::cuda::count_second_axis() on the GPU of the calling CUDA worker; false if
/// the GPU lacks memory. Without CUDA, which has no such workers, false.
bool count_second_axis_on_gpu(
    const kernels::SecondAxisPairs& pairs, bool in_spatial_order,
    const std::function<std::optional<kernels::RowRange>()>& next_rows,
    std::uint64_t* counts);

}  // namespace starhist::codelets
