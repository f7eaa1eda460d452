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

/// Waits on the GPU [ns].
__global__ void pause(std::uint64_t nanoseconds) {
  const auto now = [] {
    std::uint64_t time = 0;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    return time;
  };
  const std::uint64_t end = now() + nanoseconds;
  while (now() < end) {
    __nanosleep(1000);
  }
}

struct Fault {
  bool refuse = false;
  bool trap = false;
  bool slow = false;
  int number = 1;  ///< launches between faults, or pairs per nanosecond
};

Fault parse_fault() {
  Fault fault;
  const char* text = std::getenv("STARHIST_GPU_FAULT");
  const std::string word = text == nullptr ? "" : text;
  fault.refuse = word.starts_with("refuse:");
  fault.trap = word.starts_with("trap:");
  fault.slow = word.starts_with("slow:");
  if (fault.refuse || fault.trap || fault.slow) {
    fault.number = std::max(1, std::atoi(word.c_str() + word.find(':') + 1));
  }
  return fault;
}

const Fault& fault_of_run() {
  static const Fault fault = parse_fault();
  return fault;
}

}  // namespace

unsigned threads_or_fault(unsigned threads, cudaStream_t stream) {
  const Fault& fault = fault_of_run();
  if (!fault.refuse && !fault.trap) {
    return threads;
  }
  static std::atomic<int> launches{0};
  const int launch = ++launches;
  if (fault.trap && launch == fault.number) {
    trap<<<1, 1, 0, stream>>>();
  }
  constexpr unsigned too_many = 4096;
  return fault.refuse && launch % fault.number == 0 ? too_many : threads;
}

void slow_down(std::uint64_t pairs, cudaStream_t stream) {
  const Fault& fault = fault_of_run();
  if (fault.slow) {
    pause<<<1, 1, 0, stream>>>(pairs / static_cast<std::uint64_t>(fault.number));
  }
}

}  // namespace starhist::kernels::cuda
