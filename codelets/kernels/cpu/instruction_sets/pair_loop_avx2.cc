#include <immintrin.h>

#include "codelets/kernels/cpu/pair_loop.inl.hh"

namespace starhist::kernels::cpu {

const char* pair_loop_avx2(const PairLoop& loop) {
  const char* name = run_pair_loop(loop);
  // GCC 12 leaves it out on some paths: libm's fma(), called next, was 50 times slower.
  _mm256_zeroupper();
  return name;
}

}  // namespace starhist::kernels::cpu
