#include "codelets/kernels/cuda/kernels.hh"
#include "codelets/kernels/cuda/tensor_engine.cuh"

namespace starhist::cuda {

Kernel tensor_kernel(bool windowed) {
  return {windowed ? count_pairs_in_tiles<TensorEngine, Range::windowed>
                   : count_pairs_in_tiles<TensorEngine, Range::limited>,
          overhead_bytes<TensorEngine>, panel_rows<TensorEngine>};
}

}  // namespace starhist::cuda
