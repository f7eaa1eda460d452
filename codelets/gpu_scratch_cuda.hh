#pragma once

#include <starpu.h>

#include "codelets/gpu_scratch.hh"
#include "codelets/kernels/cuda/launch/cuda_count_pairs.hh"

namespace starhist::codelets {

/// The scratch memory of the calling CUDA worker; 0 bytes if it has none.
inline kernels::cuda::Scratch scratch_of_worker(const GpuScratch* scratch) {
  void* const memory =
      scratch == nullptr ? nullptr : scratch->of_worker(starpu_worker_get_id_check());
  return {memory, memory == nullptr ? 0 : scratch->bytes()};
}

}  // namespace starhist::codelets
