#include "codelets/gpu_scratch.hh"

#include <starpu.h>

#include "codelets/kernels/cuda/kernel_args.hh"

namespace starhist::codelets {
namespace {

/// The alignment of cudaMalloc. StarPU's own allocations may be less aligned.
constexpr std::size_t alignment = 256;

unsigned node_of(int worker) {
  return starpu_worker_get_memory_node(static_cast<unsigned>(worker));
}

}  // namespace

std::size_t GpuScratch::bytes_for(std::size_t frames, std::size_t first,
                                  std::size_t second) {
  return kernels::cuda::scratch_bytes(frames, first, second);
}

std::uint64_t GpuScratch::most_frames() {
  return kernels::cuda::most_slices;
}

GpuScratch::GpuScratch(std::size_t bytes)
    : bytes_(bytes), allocated_(starpu_worker_get_count(), 0) {
  if (bytes_ > 0) {
    starpu_execute_on_each_worker(allocate, this, STARPU_CUDA);
  }
}

GpuScratch::~GpuScratch() {
  if (bytes_ > 0) {
    starpu_execute_on_each_worker(release, this, STARPU_CUDA);
  }
}

void* GpuScratch::of_worker(int worker) const {
  const std::uintptr_t address = allocated_[static_cast<std::size_t>(worker)];
  return reinterpret_cast<void*>((address + alignment - 1U) / alignment * alignment);
}

void GpuScratch::allocate(void* scratch) {
  auto& self = *static_cast<GpuScratch*>(scratch);
  const int worker = starpu_worker_get_id_check();
  self.allocated_[static_cast<std::size_t>(worker)] =
      starpu_malloc_on_node(node_of(worker), self.bytes_ + alignment);
}

void GpuScratch::release(void* scratch) {
  auto& self = *static_cast<GpuScratch*>(scratch);
  const int worker = starpu_worker_get_id_check();
  const std::uintptr_t address = self.allocated_[static_cast<std::size_t>(worker)];
  if (address != 0) {
    starpu_free_on_node(node_of(worker), address, self.bytes_ + alignment);
  }
}

}  // namespace starhist::codelets
