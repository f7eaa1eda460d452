#include "tests/capi_cuda/producer.hh"

namespace starhist::testing {
namespace {

__global__ void wait_and_copy(const char* from, char* to, std::size_t bytes,
                              unsigned long long nanoseconds) {
  unsigned long long begin = 0;
  unsigned long long now = 0;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
  for (std::size_t k = threadIdx.x; k < bytes; k += blockDim.x) {
    to[k] = from[k];
  }
}

}  // namespace

cudaError_t copy_late(const void* from, void* to, std::size_t bytes, int milliseconds,
                      cudaStream_t stream) {
  constexpr unsigned long long in_a_millisecond = 1'000'000;
  wait_and_copy<<<1, 256, 0, stream>>>(
      static_cast<const char*>(from), static_cast<char*>(to), bytes,
      in_a_millisecond * static_cast<unsigned long long>(milliseconds));
  return cudaGetLastError();
}

}  // namespace starhist::testing
