#include <starpu.h>

#include "codelets/kernels/cuda/launch/cuda_count_second_axis.hh"
#include "codelets/second_axis/count_second_axis.hh"

namespace starhist::codelets {

bool count_second_axis_on_gpu(
    const kernels::SecondAxisPairs& pairs, bool in_spatial_order,
    const std::function<std::optional<kernels::RowRange>()>& next_rows,
    std::uint64_t* counts) {
  return kernels::cuda::count_second_axis(pairs, in_spatial_order, next_rows, counts,
                                          starpu_cuda_get_local_stream());
}

}  // namespace starhist::codelets
