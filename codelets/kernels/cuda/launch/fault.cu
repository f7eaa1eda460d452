#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>

#include "codelets/kernels/cuda/launch/fault.hh"

namespace starhist::kernels::cuda {
namespace {

__global__ void trap() {
  __trap();
}

struct Fault {
  bool refuse = false;
  bool trap = false;
  int every = 1;
};

Fault parse_fault() {
  Fault fault;
  const char* text = std::getenv("STARHIST_GPU_FAULT");
  const std::string word = text == nullptr ? "" : text;
  fault.refuse = word.starts_with("refuse:");
  fault.trap = word.starts_with("trap:");
  if (fault.refuse || fault.trap) {
    fault.every = std::max(1, std::atoi(word.c_str() + word.find(':') + 1));
  }
  return fault;
}

}  // namespace

unsigned threads_or_fault(unsigned threads, cudaStream_t stream) {
  static const Fault fault = parse_fault();
  if (!fault.refuse && !fault.trap) {
    return threads;
  }
  static std::atomic<int> launches{0};
  const int launch = ++launches;
  if (fault.trap && launch == fault.every) {
    trap<<<1, 1, 0, stream>>>();
  }
  constexpr unsigned too_many = 4096;
  return fault.refuse && launch % fault.every == 0 ? too_many : threads;
}

}  // namespace starhist::kernels::cuda
