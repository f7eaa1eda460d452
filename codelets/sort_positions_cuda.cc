#include "codelets/sort_positions_cuda.hh"

#include "codelets/core/base/error.hh"
#include "codelets/gpu_scratch_cuda.hh"
#include "codelets/kernels/cuda/clusters/sort_positions.hh"
#include "codelets/sort_positions_codelet.hh"
#include "codelets/task_buffers.hh"

namespace starhist::codelets {
namespace {

void sort_on_gpu(void* buffers[], void* cl_arg) noexcept {
  const auto& args = *static_cast<const SortPositionsArgs*>(cl_arg);
  if (args.status->stopped()) {
    return;
  }
  try {
    std::vector<kernels::cuda::SortBlock> blocks;
    blocks.reserve(args.slice_count);
    for (const SortSlice& slice : args.slices()) {
      blocks.push_back({kernels::make_spatial_grid(slice.image, slice.bounds,
                                                   slice.count, slice.density_contrast,
                                                   kernels::ClusterAxes::cartesian),
                        slice.offset, slice.count});
    }
    const cudaError_t error = kernels::cuda::copy_in_spatial_order(
        blocks, pointer_to<double>(buffers[0]), pointer_to<double>(buffers[1]),
        scratch_of_worker(args.scratch), starpu_cuda_get_local_stream());
    if (error != cudaSuccess) {
      throw RunError(std::string("CUDA reports '") + cudaGetErrorString(error) +
                     "' when positions are to be sorted");
    }
  } catch (...) {
    args.status->fail(std::current_exception());
  }
}

}  // namespace

void add_cuda_sort(starpu_codelet& codelet) {
  codelet.cuda_funcs[0] = sort_on_gpu;
  codelet.cuda_flags[0] = STARPU_CUDA_ASYNC;
}

std::size_t gpu_sort_bytes(std::size_t particles) {
  return kernels::cuda::sort_scratch_bytes(particles);
}

double gpu_sort_weight() {
  return 1.0;
}

}  // namespace starhist::codelets
