#include "codelets/kernels/cuda/kernels.hh"
#include "codelets/kernels/cuda/tensor_engine.cuh"

namespace starhist::cuda {

namespace {

template <bool doubt_start, Range range>
Kernel instance() {
  using Engine = TensorEngine<doubt_start>;
  return {count_pairs_in_tiles<Engine, range>, overhead_bytes<Engine>,
          panel_rows<Engine>, Engine::tile_columns};
}

}  // namespace

Kernel tensor_kernel(bool windowed, bool doubt_start) {
  if (windowed) {
    return instance<true, Range::windowed>();
  }
  return doubt_start ? instance<true, Range::limited>()
                     : instance<false, Range::limited>();
}

}  // namespace starhist::cuda
