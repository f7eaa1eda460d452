#include "codelets/sort_positions_cuda.hh"

#include "codelets/core/error.hh"
#include "codelets/kernels/cuda/sort_positions.hh"
#include "codelets/sort_positions_codelet.hh"

namespace starhist {
namespace {

double* positions_of(void* buffer) {
  return reinterpret_cast<double*>(STARPU_VECTOR_GET_PTR(buffer));
}

void sort_on_gpu(void* buffers[], void* cl_arg) noexcept {
  const auto& args = *static_cast<const SortPositionsArgs*>(cl_arg);
  if (args.status->stopped()) {
    return;
  }
  try {
    std::vector<cuda::SortBlock> blocks;
    blocks.reserve(args.part_count);
    for (const SortPart& part : args.parts()) {
      blocks.push_back({make_spatial_grid(part.image, part.bounds, part.count),
                        part.offset, part.count});
    }
    cuda::Scratch scratch;
    if (args.scratch != nullptr) {
      scratch.memory = args.scratch->of_worker(starpu_worker_get_id_check());
      scratch.bytes = scratch.memory == nullptr ? 0 : args.scratch->bytes();
    }
    const cudaError_t error = cuda::copy_in_spatial_order(
        blocks, positions_of(buffers[0]), positions_of(buffers[1]), scratch,
        starpu_cuda_get_local_stream());
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
  return cuda::sort_scratch_bytes(particles);
}

}  // namespace starhist
