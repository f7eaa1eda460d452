#define STARHIST_NEON
#include "codelets/kernels/cpu/second_axis/second_axis_loop.inl.hh"

namespace starhist::kernels::cpu {

void second_axis_loop_neon(SecondAxisLoop& loop) {
  run_second_axis_loop(loop);
}

}  // namespace starhist::kernels::cpu
