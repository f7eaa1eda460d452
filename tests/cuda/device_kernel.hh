#pragma once

#include <memory>
#include <stdexcept>
#include <vector>

#include "codelets/kernels/cuda/count_pairs.hh"
#include "tests/support/pair_problem.hh"

namespace starhist::testing {

inline void check_cuda(cudaError_t error) {
  if (error != cudaSuccess) {
    throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(error));
  }
}

inline bool has_gpu() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

/// A copy of an array in device memory.
template <class T>
class DeviceArray {
 public:
  DeviceArray(const T* from, std::size_t size) : size_(size) {
    check_cuda(cudaMalloc(&data_, std::max<std::size_t>(size, 1) * sizeof(T)));
    check_cuda(cudaMemcpy(data_, from, size * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* get() const { return static_cast<T*>(data_); }
  void copy_to(T* out) const {
    check_cuda(cudaMemcpy(out, data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
  }

 private:
  void* data_ = nullptr;
  std::size_t size_;
};

/// The CUDA kernel behind the contract of the others.
inline Kernel device_kernel(cuda::Variant variant) {
  return [variant](std::span<const PairBlock> blocks, int, std::uint64_t* counts) {
    const std::size_t entries = blocks.front().bins->count + 1ULL;
    const DeviceArray<std::uint64_t> device_counts(counts, entries);
    std::vector<std::unique_ptr<DeviceArray<double>>> arrays;
    std::vector<PairBlock> device_blocks(blocks.begin(), blocks.end());
    std::vector<Bounds> bounds(blocks.size());
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      PairBlock& block = device_blocks[k];
      bounds[k].add(block.first, 0, block.first.count);
      bounds[k].add(block.second, 0, block.second.count);
      for (PositionSpan* span : {&block.first, &block.second}) {
        arrays.push_back(
            std::make_unique<DeviceArray<double>>(span->xyz, 3 * span->count));
        span->xyz = arrays.back()->get();
      }
    }
    check_cuda(
        cuda::count_pairs(device_blocks, bounds, variant, device_counts.get(), nullptr)
            .error);
    check_cuda(cudaDeviceSynchronize());
    device_counts.copy_to(counts);
    return pair_count(blocks);
  };
}

}  // namespace starhist::testing
