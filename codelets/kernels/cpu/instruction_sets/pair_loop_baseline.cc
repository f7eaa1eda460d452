#include "codelets/kernels/cpu/pair_loop.inl.hh"

namespace starhist::kernels::cpu {

const char* pair_loop_baseline(const PairLoop& loop) {
  return run_pair_loop(loop);
}

}  // namespace starhist::kernels::cpu
