#include <memory>

#include "codelets/core/error.hh"
#include "codelets/gpu_trial.hh"
#include "codelets/kernels/cuda/count_pairs.hh"
#include "codelets/kernels/cuda/devices.hh"

namespace starhist {
namespace {

void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) {
    throw RunError(std::string("CUDA reports '") + cudaGetErrorString(error) +
                   "' on trying to " + what);
  }
}

/// A copy of an array in device memory.
template <class T>
class DeviceCopy {
 public:
  DeviceCopy(const T* from, std::size_t size) {
    check(cudaMalloc(&data_, std::max<std::size_t>(size, 1) * sizeof(T)),
          "allocate memory");
    owner_.reset(data_);
    check(cudaMemcpy(data_, from, size * sizeof(T), cudaMemcpyHostToDevice),
          "copy to the GPU");
  }
  T* get() const { return static_cast<T*>(data_); }

 private:
  struct Free {
    void operator()(void* data) const { cudaFree(data); }
  };
  void* data_ = nullptr;
  std::unique_ptr<void, Free> owner_;
};

std::uint64_t count_on_gpu(int gpu, cuda::Variant variant, bool tiled,
                           std::span<const PairBlock> blocks, std::uint64_t* counts) {
  check(cudaSetDevice(gpu), "use the GPU");
  const std::size_t entries = blocks.front().bins->count + 1ULL;
  const DeviceCopy<std::uint64_t> sums(counts, entries);
  std::vector<DeviceCopy<double>> copies;
  std::vector<PairBlock> on_gpu(blocks.begin(), blocks.end());
  std::vector<Bounds> bounds(blocks.size());
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    PairBlock& block = on_gpu[k];
    block.tiled = tiled;
    for (PositionSpan* span : {&block.first, &block.second}) {
      bounds[k].add(*span, 0, span->count);
      copies.emplace_back(span->xyz, 3 * span->count);
      span->xyz = copies.back().get();
    }
  }
  check(cuda::count_pairs(on_gpu, bounds, variant, sums.get(), nullptr).error,
        "count pairs");
  check(cudaMemcpy(counts, sums.get(), entries * sizeof(std::uint64_t),
                   cudaMemcpyDeviceToHost),
        "copy from the GPU");
  return pair_count(blocks);
}

}  // namespace

std::vector<GpuTrial> gpu_trials() {
  struct Way {
    const char* name;
    cuda::Variant variant;
    bool tiled;
  };
  constexpr Way ways[] = {{"auto", cuda::Variant::automatic, false},
                          {"tiles", cuda::Variant::automatic, true},
                          {"fixed-point", cuda::Variant::fixed_point, false},
                          {"definition", cuda::Variant::definition, false}};
  constexpr int all = 1000;
  std::vector<GpuTrial> trials;
  for (const cuda::DeviceState& device : cuda::survey_devices({}, all).devices) {
    for (const Way& way : ways) {
      if (device.problem.empty()) {
        trials.push_back({"GPU " + std::to_string(device.id) + " " + way.name,
                          [=, id = device.id](std::span<const PairBlock> blocks,
                                              std::uint64_t* counts) {
                            return count_on_gpu(id, way.variant, way.tiled, blocks,
                                                counts);
                          }});
      }
    }
  }
  return trials;
}

}  // namespace starhist
